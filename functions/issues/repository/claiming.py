"""Reading what an agent holds, and the queue: what is free now, and the first of it that really is."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime

from forge.context import Context
from forge.store import keys
from forge.store.keys import Key
from forge.store.ranges import EVERYTHING, HIGHEST, SortRange
from forge.store.readings import Readings, Rows
from forge.store.transactions import VersionMoved
from forge.store.walks import MAX_READ
from forge.work.issues.auto_dispatch import lines
from forge.work.issues.changes import decided_on
from forge.work.issues.claims.rows import ClaimItem
from forge.work.issues.claims.sleepers import suits_caller
from forge.work.issues.desks import (
    Desk,
    Reach,
    Reference,
    no_such_issue,
    open_issue,
    read_issues,
    settings_key,
)
from forge.work.issues.followers import BLOCKED_QUEUE, HELD_QUEUE, QUEUE, QueueItem
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.modes import require_mode_among
from forge.work.issues.runs.runs import LiveRunItem, RunItem
from forge.work.overviews.bundles.bundles import read_for_bundle
from forge.work.overviews.whole import WholeIssue
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names, keys_of
from forge.work.workspace.people.runtimes import RuntimeItem
from functions.issues.models.claiming import Unclaimed
from functions.issues.rules import claiming
from functions.issues.rules.claiming import HeldIssue

_QUEUE = "queue"
_FEW = 100
_LOOKED_AT = 8
_MOST_HELD = 20
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Own:
    """What the calling agent has claimed and is engaged in, and whatever else the call reads."""

    def __init__(self, ctx: Context, rows: Rows, holding: Collection[str]) -> None:
        self._ctx = ctx
        self.readings = Readings(ctx.table)
        self.live = rows.of(LiveRunItem)
        self._holding = frozenset(holding)
        self._runs: dict[str, str] = {}
        # Of an agent's runs on an issue, that for no step comes last, and is the claim's.
        for live in sorted(self.live, key=lambda one: one.step_id is None):
            self._runs[live.issue_id] = live.run_id
        session = ctx.caller.session_id
        claims = rows.of(ClaimItem)
        newest = sorted(claims, key=lambda one: (one.session == session, one.claimed_at or _LONG_AGO))
        self.claims = newest[-_MOST_HELD:]

    def may_go_on(self, *, resume: bool) -> bool:
        """Whether any of it can be this session's to go on with, as far as the rows tell."""
        session = self._ctx.caller.session_id
        return any(resume or one.session == session or one.runtime_id for one in self.claims)

    @property
    def names(self) -> Names:
        return Reach(self._ctx, self.readings).names

    @property
    def issue_ids(self) -> list[str]:
        return [one.issue_id for one in self.claims]

    @property
    def keys(self) -> list[Key]:
        """What has to be read, besides the issues, to know how it stands with each claim."""
        workspace_id = self._ctx.caller.workspace_id
        wanted = [settings_key(self._ctx)] if self.claims else []
        for one in self.claims:
            if one.issue_id in self._runs:
                wanted.append(RunItem.at(workspace_id, self._runs[one.issue_id]))
            if one.runtime_id:
                wanted.append(RuntimeItem.at(workspace_id, one.runtime_id))
        return wanted

    def held(self, *, but: str | None = None) -> list[HeldIssue]:
        """Unfinished claims, without runs that the caller says it is at; the most silent come first."""
        ctx, found = self._ctx, []
        reach = read_issues(ctx, self.issue_ids, also=self.keys, readings=self.readings)
        for one in self.claims:
            issue = reach.find(one.issue_id)
            if issue is None or issue.id == but or self._runs.get(issue.id) in self._holding:
                continue
            if issue.claimed_by_agent_id == ctx.caller.agent_id and issue.is_claimed(ctx.now()):
                found.append(self._of(issue, one))
        return sorted(found, key=lambda one: (one.last_sign_at, one.issue.id))

    def _of(self, issue: IssueItem, row: ClaimItem) -> HeldIssue:
        workspace_id, run_id = issue.workspace_id, self._runs.get(issue.id)
        run = self.readings.find(RunItem, RunItem.at(workspace_id, run_id)) if run_id else None
        place = RuntimeItem.at(workspace_id, row.runtime_id) if row.runtime_id else None
        runtime = self.readings.find(RuntimeItem, place) if place else None
        return HeldIssue(issue, run if run and run.is_live else None, runtime)


def read_own(ctx: Context, holding: Collection[str]) -> Own:
    """One request; none for a person, who is shown nothing of that."""
    agent_id, rows = ctx.caller.agent_id, Rows([])
    if agent_id:
        partition = OF_AGENT(ctx.caller.workspace_id, agent_id)
        among = SortRange(first=ClaimItem.stored.prefix(), last=LiveRunItem.stored.prefix() + HIGHEST)
        rows = ctx.table.query_all(partition, sort=among, most=MAX_READ).first_ones()
    return Own(ctx, rows, holding)


def open_named(ctx: Context, given: str, own: Own) -> Desk:
    """An issue by its id, and in the same request what the caller holds."""
    beside = [Reference(issue_id) for issue_id in own.issue_ids]
    return open_issue(ctx, given, lambda _: own.keys, beside=beside, readings=own.readings)


def open_unfinished(ctx: Context, own: Own, *, resume: bool) -> Desk | None:
    """What the caller goes on with, if anything."""
    if not own.may_go_on(resume=resume):
        return None
    found = claiming.given_back(own.held(), ctx.caller, ctx.now(), resume=resume)
    if not found:
        return None
    issue_id = found[0].issue.id
    return Reach(ctx, own.readings).open(Reference(issue_id), missing=no_such_issue(issue_id))


def place_in_line(ctx: Context) -> int | None:
    """Where to begin: from another place on when somebody was quicker before."""
    return lines.place_in_line(ctx, _QUEUE)


def waiting(ctx: Context, own: Own, place: int | None) -> list[QueueItem]:
    """What the caller may take now, in its order."""
    require_mode_among(ctx, own.live)
    line = sorted(_free(ctx), key=lambda row: row.order)
    return line if place is None else lines.in_turn(line, place)


def why_nothing(ctx: Context, own: Own) -> tuple[Unclaimed, IssueItem | None]:
    """Looked up only where nothing is free: whether others have it all, or something stands in the way.

    And the issue that is free first, or one that is blocked.
    """
    workspace_id = ctx.caller.workspace_id
    held = _rows(ctx, HELD_QUEUE(workspace_id), SortRange(first=keys.sortable_time(ctx.now())))
    found = held or _rows(ctx, BLOCKED_QUEUE(workspace_id))
    if not found:
        return Unclaimed.NOTHING_QUEUED, None
    reach = read_issues(ctx, [found[0].issue_id], also=[settings_key(ctx)], readings=own.readings)
    return Unclaimed.ALL_CLAIMED if held else Unclaimed.ALL_BLOCKED, reach.find(found[0].issue_id)


def open_first_free(ctx: Context, line: Sequence[QueueItem], own: Own) -> Desk | None:
    """The first issue of the line that is free, with what it is shown with."""
    for start in range(0, len(line), _LOOKED_AT):
        looked_at = line[start : start + _LOOKED_AT]
        reach = read_issues(
            ctx,
            [*(row.issue_id for row in looked_at), *own.issue_ids],
            also=[*_beside(ctx, looked_at[0]), *own.keys],
            readings=own.readings,
        )
        for row in looked_at:
            issue = reach.find(row.issue_id)
            if issue is not None and claiming.is_free(issue, ctx.caller, ctx.now()):
                return reach.open(Reference(issue.id), missing=no_such_issue(issue.id))
    return None


def read_whole_again(ctx: Context, desk: Desk) -> WholeIssue:
    """All of an issue that was found to be free; decided again if it changed between the two readings."""
    caller = ctx.caller
    # A person who takes an issue becomes one of its people.
    people = [MemberItem.at(caller.workspace_id, caller.user_id)] if caller.user_id else []
    whole = read_for_bundle(ctx, desk.issue.id, [*decided_on(desk), *runtimes.of_session(caller), *people])
    if whole.desk.issue.version != desk.issue.version:
        raise VersionMoved
    return whole


def _beside(ctx: Context, first: QueueItem) -> Iterator[Key]:
    """Usually the first is taken, so that what it is shown with is read together with the heads."""
    yield settings_key(ctx)
    yield from keys_of(first)
    if ctx.caller.agent_id:
        yield AgentItem.at(ctx.caller.workspace_id, ctx.caller.agent_id)


def _free(ctx: Context) -> list[QueueItem]:
    """Rows of the queue, and of claims that have expired."""
    workspace_id = ctx.caller.workspace_id
    expired = SortRange(last=f"{keys.sortable_time(ctx.now())}#{HIGHEST}")
    return [*_rows(ctx, QUEUE(workspace_id)), *_rows(ctx, HELD_QUEUE(workspace_id), expired)]


def _rows(ctx: Context, partition: str, among: SortRange = EVERYTHING) -> list[QueueItem]:
    """The first that the caller may take; it is read on only where the first are all somebody else's."""
    after = None
    for _ in range(MAX_READ // _FEW):
        answer = ctx.table.query(partition, sort=among, limit=_FEW, after=after)
        after = answer.next_position
        found = [row for row in answer.of(QueueItem) if suits_caller(row, ctx.caller)]
        if found or after is None:
            return found
    return []
