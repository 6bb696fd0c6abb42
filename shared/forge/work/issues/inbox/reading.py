"""Reading an inbox: what of an agent's runs waits for a sign of it, and what else waits; bounded requests."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.context import Caller, Context
from forge.store.ranges import HIGHEST, SortRange
from forge.store.readings import Readings
from forge.work.issues.desks import Reach, read_issues, settings_key
from forge.work.issues.inbox.rows import OF_AGENT, Duty, WaitingItem, What
from forge.work.issues.pages.sights import is_narrowed
from forge.work.issues.runs.runs import LiveRunItem, RunItem, RunStatus
from forge.work.record.log.kinds import EventKind

MOST = 200
"""Runs and other rows that one call looks at: of more, the rest comes when some are settled."""
QUIET = timedelta(minutes=5)
"""After that, a run that says nothing waits for its agent, which was perhaps restarted."""

_SAID = frozenset({EventKind.COMMENT_CREATED, EventKind.COMMENT_UPDATED})


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """Something that waits for an agent."""

    what: What
    since: datetime
    subject_id: str
    title: str | None = None
    """None where the issue's title says it."""
    issue_id: str | None = None
    run_id: str | None = None
    plan_id: str | None = None
    goal_id: str | None = None

    @property
    def place(self) -> str:
        """The oldest first."""
        return f"{self.since.isoformat()}#{self.what}#{self.subject_id}"


class Inbox(NamedTuple):
    entries: list[InboxEntry]
    is_cut: bool
    reach: Reach
    """Holds the issues where the key sees only some of them."""


def read(ctx: Context) -> Inbox:
    """All that waits for the calling agent: a query, and a request for each hundred of its runs."""
    caller = ctx.caller
    partition = OF_AGENT(caller.workspace_id, str(caller.agent_id))
    both = SortRange(first=LiveRunItem.stored.prefix(), last=WaitingItem.stored.prefix() + HIGHEST)
    rows = ctx.table.query_all(partition, sort=both, most=MOST)
    is_cut = rows.next_position is not None
    of_live = rows.of(LiveRunItem)
    known = Readings(ctx.table)
    keys = [RunItem.at(caller.workspace_id, one.run_id) for one in of_live if one.duty is None]
    known.fetch(keys)
    live = [found for key in keys if (found := known.find(RunItem, key))]
    entries = [
        *(one for run in live if (one := of_run(run, ctx.now()))),
        *of_rows(rows.of(WaitingItem), of_live),
    ]
    reach = Reach(ctx, known)
    if is_narrowed(caller):
        read_issues(ctx, {one.issue_id for one in entries if one.issue_id}, readings=known)
        entries = [one for one in entries if _is_visible(reach, one, caller)]
    return Inbox(entries, is_cut, reach)


def show(ctx: Context, inbox: Inbox, entries: Iterable[InboxEntry]) -> Reach:
    """With the issues that some of the entries are about; one request at most."""
    wanted = {one.issue_id for one in entries if one.issue_id}
    return read_issues(ctx, wanted, also=[settings_key(ctx)], readings=inbox.reach.readings)


def of_run(run: RunItem, now: datetime) -> InboxEntry | None:
    """Of a run: somebody called, and nothing was heard of the agent since; or it fell silent at work."""
    is_silent = run.status is RunStatus.ACTIVE and now - run.last_event_at >= QUIET
    if not run.is_live or (run.called_at is None and not is_silent):
        return None
    is_said = run.called_at is not None and run.trigger_kind in _SAID
    return InboxEntry(
        what=What.MENTION if is_said else What.RUN,
        since=run.called_at or run.last_event_at,
        subject_id=run.id,
        issue_id=run.issue_id,
        run_id=run.id,
    )


def of_rows(waiting: Iterable[WaitingItem], of_live: Sequence[LiveRunItem]) -> list[InboxEntry]:
    """Of everything else; what is owed has a run where there is an issue with room for one."""
    owed = {one.step_id if one.duty is Duty.JUDGE else one.plan_id: one for one in of_live if one.duty}
    found = []
    for row in waiting:
        run = owed.get(row.subject_id)
        entry = InboxEntry(
            what=row.what,
            since=row.since,
            subject_id=row.subject_id,
            title=row.title,
            issue_id=row.issue_id,
            run_id=run.run_id if run else None,
            plan_id=row.plan_id,
            goal_id=row.goal_id,
        )
        found.append(entry)
    return found


def _is_visible(reach: Reach, entry: InboxEntry, caller: Caller) -> bool:
    """A thread is its agent's own, whatever its key is narrowed to; but it is no run's."""
    if entry.issue_id is None:
        return entry.what is What.CHAT and caller.run_id is None
    return reach.find(entry.issue_id) is not None
