"""What the table says of its workspaces: keys that end, receivers that fail, what was given up or is late."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import starmap
from typing import NamedTuple

from forge.cli.calls import BadArguments, moment
from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level, listed
from forge.context import KeyKind
from forge.store import keys as places
from forge.store.answers import Refused
from forge.store.pages import Portion, read_page
from forge.store.ranges import SortRange
from forge.store.walks import one_partition
from forge.work.background.deliveries import deliveries
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus
from forge.work.background.sweep.sweep import RULES
from forge.work.background.sweep.timers import TIMERS, Due, TimerItem, TimerState
from forge.work.workspace.founding import WorkspaceNameItem
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.api_keys import ApiKeyItem
from forge.work.workspace.workspaces import WorkspaceItem

KEYS, RECEIVERS, GIVEN_UP, LATE = "keys", "webhooks", "given up", "sweep"
SOON, REMEMBERED = timedelta(days=14), timedelta(days=30)
RECENT = timedelta(days=7)
LATE_AFTER = timedelta(minutes=5)
_OF_WORKSPACES = "WS#"
_MOST_DUE = 1_000
"""Of each partition of what is due."""
_OF_ONE_LIST = 100
_RENEW = "Make others with `forge admin keys.create`, hand them out, then `keys.revoke` these."


class Known(NamedTuple):
    """The workspaces that are looked at, by id with their short names."""

    slugs: dict[str, str]
    is_a_sample: bool


def workspaces_in(deployment: Deployment, named: Iterable[str]) -> Known:
    """Those that were named; else whoever has rows among the first of the table, or anything due."""
    wanted = list(named)
    if wanted:
        return Known({one.id: one.slug for one in (_named(deployment, name) for name in wanted)}, False)
    ids, is_a_sample = _sampled(deployment)
    ids |= {due.workspace_id for due in everything_due(deployment, until=None)} - {""}
    found = deployment.table.read(WorkspaceItem.at(one) for one in sorted(ids))
    known = [found.find(WorkspaceItem, WorkspaceItem.at(one)) for one in sorted(ids)]
    return Known({one.id: one.slug for one in known if one}, is_a_sample)


def _sampled(deployment: Deployment) -> tuple[set[str], bool]:
    """Ids in the first megabyte of the table, and whether there is more of it; none for who may not scan."""
    try:
        rows = deployment.table.scan(_OF_WORKSPACES, after=None)
    except Refused:
        return set(), True
    is_cut = rows.next_position is not None
    return {key.partition.split("#")[1] for key in rows.keys}, is_cut


def _named(deployment: Deployment, name: str) -> WorkspaceItem:
    table = deployment.table
    guard = table.find(WorkspaceNameItem, WorkspaceNameItem.at("SLUG", name))
    found = table.find(WorkspaceItem, WorkspaceItem.at(guard.workspace_id if guard else name))
    if found is None:
        raise BadArguments(f"There is no workspace {name!r} in {deployment.called}: give its slug or its id.")
    return found


def everything_due(deployment: Deployment, *, until: datetime | None) -> list[Due]:
    """What the sweep has to look at, now or ever; of very much the first."""
    rows = [
        deployment.table.query(
            partition,
            index="due",
            sort=SortRange(last=places.sortable_time(until) if until else ""),
            limit=_MOST_DUE,
            because="an operator looks at what is due, once",
        )
        for partition in places.DUE_PARTITIONS
    ]
    return [due for found in rows for due in starmap(Due, found.first_ones().places_in("due"))]


def examine_keys(deployment: Deployment, known: Known, now: datetime) -> Iterator[Finding]:
    yield from judge_keys({slug: keys_of(deployment, one) for one, slug in known.slugs.items()}, now)


def keys_of(deployment: Deployment, workspace_id: str) -> list[ApiKeyItem]:
    """As they are: whoever removes a member revokes where keys are authenticated."""
    listed_keys: list[ApiKeyItem] = []
    cursor: str | None = None
    while True:
        found, used = api_keys.list_page(deployment.table, workspace_id, Portion(_OF_ONE_LIST, cursor))
        listed_keys += [api_keys.as_it_is(item, used[item.key_hash]) for item in found.items]
        cursor = found.next_cursor
        if cursor is None:
            return listed_keys


def judge_keys(keys: dict[str, list[ApiKeyItem]], now: datetime) -> Iterator[Finding]:
    lasting = 0
    for slug, its_keys in keys.items():
        # A session's key ends by itself, and is meant to.
        kept = [key for key in its_keys if key.revoked_at is None and key.kind is not KeyKind.SESSION]
        lasting += sum(key.is_live(now + SOON) for key in kept)
        ends = [(key, key.expires_at) for key in kept if key.expires_at]
        soon = [f"{key.name!r} ({_day(end)})" for key, end in ends if now < end <= now + SOON]
        over = [f"{key.name!r} ({_day(end)})" for key, end in ends if now - REMEMBERED <= end <= now]
        if soon:
            yield Finding(KEYS, Level.WARN, f"In {slug}, keys end soon: {listed(soon)}.", _RENEW)
        if over:
            yield Finding(
                KEYS, Level.WARN, f"In {slug}, keys have ended, and are refused: {listed(over)}.", _RENEW
            )
    if lasting:
        yield Finding(KEYS, Level.OK, f"{lasting} work for longer than {SOON.days} days.")


def _day(end: datetime) -> str:
    return f"{end:%Y-%m-%d}"


def examine_receivers(deployment: Deployment, known: Known, now: datetime) -> Iterator[Finding]:
    yield from judge_receivers({slug: _failing(deployment, one) for one, slug in known.slugs.items()}, now)


def _failing(deployment: Deployment, workspace_id: str) -> list[DeliveryItem]:
    """The newest of those that did not get through."""
    found: list[DeliveryItem] = []
    for status in (DeliveryStatus.DEAD_LETTER, DeliveryStatus.FAILED):
        found += deliveries.list_page(deployment.table, workspace_id, status, Portion(_OF_ONE_LIST)).items
    return found


def judge_receivers(failing: dict[str, list[DeliveryItem]], now: datetime) -> Iterator[Finding]:
    recent = {
        slug: [one for one in found if one.created_at >= now - RECENT] for slug, found in failing.items()
    }
    for slug, found in recent.items():
        for status, level, how in (
            (DeliveryStatus.DEAD_LETTER, Level.FAIL, "were given up"),
            (DeliveryStatus.FAILED, Level.WARN, "failed and are tried again"),
        ):
            its = [one for one in found if one.status is status]
            if its:
                targets = Counter(f"{one.target_type.lower()} {one.target_id}" for one in its)
                last = max(its, key=lambda one: one.created_at).response_status
                yield Finding(
                    RECEIVERS,
                    level,
                    f"In {slug}, {len(its)} deliveries {how} ({listed(targets)}; last answer: "
                    f"{last or 'none'}).",
                    f"`forge admin webhookDeliveries.list status={status}` shows them; when the receiver "
                    "works again, `webhookDeliveries.retry`.",
                )
    if not any(recent.values()):
        yield Finding(RECEIVERS, Level.OK, "Everybody took what they were sent.")


def examine_given_up(deployment: Deployment, known: Known) -> Iterator[Finding]:
    yield from judge_given_up({slug: _timers(deployment, one) for one, slug in known.slugs.items()})


def _timers(deployment: Deployment, workspace_id: str) -> list[TimerItem]:
    listing = one_partition(TIMERS(workspace_id))
    return list(read_page(deployment.table, TimerItem, listing, Portion(_OF_ONE_LIST)).items)


def judge_given_up(timers: dict[str, list[TimerItem]]) -> Iterator[Finding]:
    for slug, found in timers.items():
        for state, level, how in (
            (TimerState.DEAD, Level.FAIL, "were given up"),
            (TimerState.RETRYING, Level.WARN, "failed and are tried again"),
        ):
            its = [one for one in found if one.state is state]
            if its:
                yield Finding(
                    GIVEN_UP,
                    level,
                    f"In {slug}, {len(its)} things that were due {how}. One says: {its[-1].last_error[:120]}",
                    f"`forge admin timers.list state={state}` says why; `timers.retry` tries again.",
                )
    if not any(timers.values()):
        yield Finding(GIVEN_UP, Level.OK, "Whatever was due has been settled.")


def examine_sweep(deployment: Deployment, now: datetime) -> Iterator[Finding]:
    yield from judge_sweep(everything_due(deployment, until=now - LATE_AFTER))


def judge_sweep(due: list[Due]) -> Iterator[Finding]:
    unknown = Counter(one.kind for one in due if one.kind not in RULES)
    late = [one for one in due if one.kind in RULES and not one.has_failed]
    if late:
        oldest = min(one.place for one in late)
        yield Finding(
            LATE,
            Level.FAIL,
            f"{len(late)} things are due for more than five minutes, the oldest since {moment(oldest)}.",
            "The sweep does not run, or does not come to an end: look at its log and its schedule.",
        )
    if unknown:
        yield Finding(
            LATE,
            Level.WARN,
            f"A newer build wrote what this one does not know: {listed(unknown)}.",
            "Bring the command, or the stack, to the newer version.",
        )
    if not late and not unknown:
        yield Finding(LATE, Level.OK, f"Nothing is due for longer than {LATE_AFTER.seconds // 60} minutes.")
