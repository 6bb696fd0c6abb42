"""Claims that wait: for as long as the call may take, or asleep until there is something to come back for."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from forge import deadline
from forge.auth.actors import is_same
from forge.context import Context
from forge.contract.awaiting import Waits
from forge.errors import NotFound
from forge.store.keys import sortable_time
from forge.store.ranges import SortRange
from forge.work.issues.claims import sleepers
from forge.work.issues.claims.sleepers import SleeperItem
from forge.work.issues.desks import settings_in, settings_key
from forge.work.issues.followers import HELD_QUEUE, QueueItem
from functions.issues.models.claiming import ClaimIssue

LONGEST = 20
"""Seconds that a call waits whose client can't come back."""
_EVERY = 1.5
"""Seconds between two looks."""
_RESERVED = 3.0
"""What the last look and the answer take of the call's time."""
_BEGUN = "waits since"


def is_patient(ctx: Context, request: ClaimIssue) -> bool:
    """Whether to look once more; it has paused then. A call that can be come back for does not wait."""
    call, wanted = ctx.call, request.wait_seconds
    if not wanted or call.takes_tasks or call.task is not None or request.issue_id is not None:
        return False
    begun: datetime = ctx.memory.setdefault(_BEGUN, ctx.now())
    waited = (ctx.now() - begun).total_seconds()
    left = min(min(wanted, LONGEST) - waited, deadline.seconds_left() - _RESERVED)
    if left <= 0:
        return False
    ctx.services.pause(min(left, _EVERY))
    return True


def falls_asleep(ctx: Context, request: ClaimIssue) -> bool:
    return bool(request.wait_seconds) and ctx.call.takes_tasks and request.issue_id is None


def find_sleeper(ctx: Context) -> SleeperItem | None:
    """The one that is come back for; None for a call like any other."""
    if ctx.call.task is None:
        return None
    caller = ctx.caller
    missing = NotFound("Nothing sleeps there.", hint="issues.claim with waitSeconds waits anew.")
    place = SleeperItem.at(caller.workspace_id, ctx.call.task)
    found = ctx.table.get(SleeperItem, place, missing=missing)
    if not is_same(caller, found.key_id, user_id=found.user_id, agent_id=found.agent_id):
        raise missing
    return found


def sleep_until_free(ctx: Context, request: ClaimIssue) -> Waits:
    """Sleep, or go on sleeping where the same session asks again; what can be come back for."""
    arguments = _arguments(request)
    sleeper_id = sleepers.sleeper_id(ctx, arguments)
    place = SleeperItem.at(ctx.caller.workspace_id, sleeper_id)
    known = ctx.table.read([settings_key(ctx), place])
    workspace, before = settings_in(ctx, known), known.find(SleeperItem, place)
    if before is not None and before.is_asleep(ctx.now()):
        return waits_of(before)
    sleeper = sleepers.new_sleeper(
        ctx,
        sleeper_id,
        seconds=request.wait_seconds,
        arguments=arguments,
        lapses_at=_first_lapse(ctx),
    )
    sleepers.fall_asleep(ctx.plan(), before, sleeper, workspace)
    return waits_of(sleeper)


def waits_of(sleeper: SleeperItem) -> Waits:
    return Waits(id=sleeper.id, since=sleeper.created_at, until=sleeper.ends_at)


def withdraw(ctx: Context, sleeper: SleeperItem) -> None:
    sleepers.save(ctx.plan(), sleeper, sleeper.withdrawn(ctx.now()))


def sleep_on(ctx: Context, sleeper: SleeperItem) -> None:
    """It was called in vain; another call that comes meanwhile stands."""
    if sleeper.is_called(ctx.now()):
        ctx.plan().adjust(
            sleeper.key,
            assign={"woken_at": None, "lapses_at": _first_lapse(ctx)},
            equal={"woken_at": sleeper.woken_at, "state": sleeper.state.value},
        )


def _first_lapse(ctx: Context) -> datetime | None:
    """When the first claim lapses that somebody has; who works on keeps it up."""
    among = SortRange(first=sortable_time(ctx.now()))
    rows = ctx.table.query(HELD_QUEUE(ctx.caller.workspace_id), limit=1, sort=among, is_strong=False)
    return next((row.held_until for row in rows.first_ones().of(QueueItem)), None)


def _arguments(request: ClaimIssue) -> Mapping[str, Any]:
    return request.model_dump(mode="json", by_alias=True, exclude_unset=True)
