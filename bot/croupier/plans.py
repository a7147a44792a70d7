"""What is planned for members: reminders, scheduled tables, breaks, limits of loss, roles, a bank to come."""

from dataclasses import replace
from enum import StrEnum

from bot.ledger.changes import Plan, PlanChanged
from bot.ledger.errors import Overtaken
from bot.ledger.ledger import Ledger


class PlanKind(StrEnum):
    """What is planned."""

    DAILY = "daily"
    """A message each time the next daily chips are there; due then, or waits until they are taken."""
    TABLE = "table"
    """A message when there is a table to play at in a channel."""
    SCHEDULE = "schedule"
    """A table opens in a channel."""
    BREAK = "break"
    """The end of a break, until when the member does not play."""
    ZONE = "zone"
    """The time zone in which tables of a server were scheduled last; never due."""
    LIMIT = "limit"
    """How much a member may lose a day; due when another limit, or none, takes its place."""
    ROLE = "role"
    """A role from the bot, taken when others get it; never due."""
    BANK = "bank"
    """A member waits for the bank of a table, or has stated limits for it; due when that is forgotten."""


def daily_name(party: int) -> str:
    """What identifies a member's reminder of daily chips."""
    return f"{PlanKind.DAILY}:{party}"


def table_name(channel_id: int, party: int) -> str:
    """What identifies a member's reminder of tables in a channel."""
    return f"{PlanKind.TABLE}:{channel_id}:{party}"


def schedule_name(command_id: int) -> str:
    """What identifies a scheduled table: the command that planned it."""
    return f"{PlanKind.SCHEDULE}:{command_id}"


def zone_name(server_id: int) -> str:
    """What identifies the time zone of a server."""
    return f"{PlanKind.ZONE}:{server_id}"


def break_name(party: int) -> str:
    """What identifies a member's break."""
    return f"{PlanKind.BREAK}:{party}"


def limit_name(party: int) -> str:
    """What identifies a member's limit of loss."""
    return f"{PlanKind.LIMIT}:{party}"


def role_name(award: str, role_id: int, party: int) -> str:
    """What identifies a role that a member has from the bot."""
    return f"{PlanKind.ROLE}:{award}:{role_id}:{party}"


def bank_name(table_id: int, party: int) -> str:
    """What identifies that a member waits for the bank of a table."""
    return f"{PlanKind.BANK}:{table_id}:{party}"


async def change_plan(ledger: Ledger, before: Plan | None, after: Plan | None) -> bool:
    """Stores a plan in place of another; returns False if that one was changed meanwhile."""
    try:
        await ledger.record(PlanChanged(before, after))
    except Overtaken:
        return False
    return True


async def remind_of_daily(ledger: Ledger, party: int, daily_at: float | None) -> bool:
    """Plans a member's next reminder, now that they know when the next daily chips come.

    Returns:
        Whether they want one.
    """
    plan = await ledger.plan(daily_name(party))
    if plan is not None and plan.at != daily_at:
        await change_plan(ledger, plan, replace(plan, at=daily_at))
    return plan is not None
