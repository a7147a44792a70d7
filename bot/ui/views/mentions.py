"""How members are named in messages."""


def mention(member_id: int) -> str:
    """The member's name as Discord shows it to each reader; nobody is pinged by the bot's messages."""
    return f"<@{member_id}>"
