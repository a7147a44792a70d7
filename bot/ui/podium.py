"""What is posted of the first of a leaderboard: that of a week, or of a season."""

import logging
from collections.abc import Sequence
from typing import Final

from cachetools import LRUCache

from bot.clock import DAY_SECONDS
from bot.ledger.records import Leaderboard, Rank
from bot.ui.components import button, picture, row, text
from bot.ui.leaderboard import LOOKS, ON_PAGE, Membership, Shown, leaderboard_button
from bot.ui.pictures import render_podium
from bot.ui.press.errors import SENDING_FAILED, log_failure
from bot.ui.profile import profile_press
from bot.ui.services import Services
from bot.wire.requests import Content, post
from bot.words.translation import listed, signed, translate

log = logging.getLogger(__name__)

POSTING_SECONDS: Final = 2 * DAY_SECONDS
"""How long after its week or season it may be posted."""
ON_PODIUM: Final = 3
POSTED_KEPT: Final = 1_000
"""Of how many leaderboards this process remembers that it has posted them, until that is noted."""


class Podium:
    """Finds who is first and still in the server, and posts them."""

    def __init__(self, services: Services, membership: Membership) -> None:
        self._services = services
        self._membership = membership
        self._posted: LRUCache[str, None] = LRUCache(POSTED_KEPT)

    async def first(self, ranked: Leaderboard) -> list[Rank]:
        """Who leads by what they have gained, and is still in the server."""
        return await self._on_page(ranked, 0)

    async def may_have_role(self, ranked: Leaderboard, most: int) -> list[int]:
        """The first of a leaderboard who are not banned, as many as get a role."""
        identities, barred = self._services.croupier.identities, self._services.croupier.barred
        free: list[int] = []
        page = 0
        while len(free) < most and (ranks := await self._on_page(ranked, page)):
            known = filter(None, (identities.get(rank.party) for rank in ranks))
            free += [one.party for one in known if not await barred.ban_of(one.server_id, one.user_id)]
            page += 1
        return free[:most]

    async def _on_page(self, ranked: Leaderboard, page: int) -> list[Rank]:
        ledger, identities = self._services.croupier.ledger, self._services.croupier.identities
        await ledger.read_order(ranked)
        for _ in range(LOOKS):
            found = await ledger.leaders(ranked, page * ON_PAGE, ON_PAGE)
            ranks = [one for one in found if one.amount > 0]
            await identities.load(rank.party for rank in ranks)
            if not await self._membership.look(rank.party for rank in ranks):
                break
        return ranks

    async def content(
        self,
        words: str,
        ranks: Sequence[Rank],
        shown: Shown,
        alt_code: str,
        mentions: Sequence[int] = (),
    ) -> Content:
        """A leaderboard that is posted, with its first three as a picture.

        Args:
            shown: what its button shows of it.
            mentions: Discord's ids of the users whom it mentions.
        """
        button_row = row(leaderboard_button(shown), button(profile_press(), translate("button.profile")))
        figures = [signed(int(rank.amount)) for rank in ranks[:ON_PODIUM]]
        if not figures:
            return Content([text(words), button_row])
        names = [self._services.names.name(rank.party) for rank in ranks]
        alt = translate(alt_code, figures=listed(map(" ".join, zip(names, figures, strict=False))))
        podium = await render_podium(figures, alt)
        return Content([text(words), picture(podium.name, alt), button_row], [podium], mentions)

    async def post(self, server_id: int, channel_id: int, content: Content, same: str) -> Exception | None:
        """Posts the first of a server; returns what failed if it is not sure that it is there.

        Note only after it that it is posted: so it comes also if the process ends in between. The next one
        asks for it again, and within some minutes Discord drops a second one with the same nonce. Later,
        two are better than none.

        Args:
            same: its nonce, by which this process posts it once, also if that cannot be noted for a while.
        """
        if same in self._posted:
            return None
        try:
            await post(self._services.client, channel_id, content, same)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "the leaderboard of server %s could not be posted", server_id)
            return failed
        self._posted[same] = None
        return None
