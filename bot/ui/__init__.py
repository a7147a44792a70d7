"""What the cogs share of Discord: the router, replies, boards, hand panels, hand delivery and views."""
