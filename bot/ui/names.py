"""How members are shown: parties of tables as mentions and names."""

from typing import Final

from bot.croupier.identities import Identities
from bot.rules.typed_text import clean
from bot.table.refusals import Refused
from bot.table.seats import THE_HOUSE, computer_number, is_computer
from bot.words.translation import plain_name, translate

_PARTIES: Final = frozenset({"banker", "opener"})
"""The facts of refusals that are parties."""
_LONGEST_NAME: Final = 64
"""The most UTF-16 code units of a name: Discord takes 32 characters, and an emoji has two units or more."""


class Names:
    """Mentions and names of parties.

    Args:
        identities: the members behind them. Those at open tables are always in memory; `Identities.load`
            brings others there.
        of_past: whether texts are about the past, and have names in place of mentions: a mention of somebody
            who has left the server is a bare number.
    """

    def __init__(self, identities: Identities, *, of_past: bool = False) -> None:
        self._identities = identities
        self._of_past = of_past

    def mention(self, party: int, *, begins_line: bool = False) -> str:
        """The mention of a member; words for an erased one, the house and computer players."""
        if party == THE_HOUSE:
            return translate("member.house_first" if begins_line else "member.house")
        if is_computer(party):
            return translate("member.computer", number=computer_number(party))
        identity = self._identities.get(party)
        if identity is None:
            return translate("member.deleted")
        return plain_name(self.name(party)) if self._of_past else f"<@{identity.user_id}>"

    def name(self, party: int) -> str:
        """The name of a member, for places where Discord shows no mention; clean, but not escaped."""
        if party == THE_HOUSE:
            return translate("member.house")
        if is_computer(party):
            return translate("member.computer", number=computer_number(party))
        identity = self._identities.get(party)
        return translate("member.deleted") if identity is None else clean(identity.name, _LONGEST_NAME)

    def in_refusal(self, refused: Refused) -> Refused:
        """The refusal with names in place of parties."""
        facts = {
            fact: self.name(int(value)) if fact in _PARTIES else value
            for fact, value in refused.facts.items()
        }
        return Refused(refused.code, facts)
