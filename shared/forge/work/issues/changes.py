"""One change of one issue: its head is written once, with its events, its runs, and whom they wake."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from forge.errors import PreconditionFailed
from forge.store.keys import Key
from forge.store.transactions import Refusal, Transaction, VersionMoved
from forge.work.issues import issues
from forge.work.issues.desks import Desk
from forge.work.issues.issues import MAX_LIVE_RUNS, IssueItem, LiveRun
from forge.work.log.events import EventKind, Wake, record
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.runs import modes, run_keys, runs
from forge.work.runs.modes import Engagement
from forge.work.runs.runs import RunItem, RunStatus

Ending = Callable[[RunItem], tuple[RunStatus, str]]
"""How a run ends, and what is written on it."""


class Reason(IntEnum):
    """Why an agent is woken; of several in one call the strongest counts."""

    WATCHING = 1
    MENTIONED = 2
    ASSIGNED = 3


@dataclass(frozen=True, slots=True)
class Call:
    """An agent that must be told of an event, and the mode of the run if one has to begin."""

    agent_id: str
    reason: Reason
    engagement: Engagement
    is_fresh: bool = False
    """A new assignment: it also changes the mode of a run that is live already."""


@dataclass(slots=True)
class _Announcement:
    id: str
    kind: EventKind
    action: str
    payload: Mapping[str, Any]
    calls: list[Call]
    wakes: list[Wake] = field(default_factory=list)


class IssueChange:
    """Collects what happens to an issue; `save` works out what follows from it and writes all of it.

    The desk must hold the agents that may be woken or begin to work: see `keys_of_agents`.
    """

    def __init__(self, desk: Desk, tx: Transaction) -> None:
        self.desk = desk
        self.tx = tx
        self.before = self.issue = desk.issue
        self.blocked: list[IssueItem] = []
        """What the issue blocks, needed where it may close or be opened again."""
        self._announced: list[_Announcement] = []
        self._has_engaged = False

    def set(self, **fields: object) -> None:
        self.issue = self.issue.changed(**fields)

    def announce(
        self,
        kind: EventKind,
        payload: Mapping[str, Any],
        *,
        action: str,
        calls: Iterable[Call] = (),
        is_quiet: bool = False,
    ) -> str:
        """Record an event of this issue; its id. Unless it is quiet, the assignee hears of it, too."""
        announcement = _Announcement(self.tx.origin.new_id("evt"), kind, action, payload, [*calls])
        assignee = self.issue.assigned_agent_id
        # What happens to a closed issue is nobody's work.
        if assignee and self.issue.is_open and not is_quiet:
            announcement.calls.append(Call(assignee, Reason.WATCHING, modes.for_watcher()))
        self._announced.append(announcement)
        return announcement.id

    def end_runs(self, live: Iterable[LiveRun], ending: Ending) -> None:
        """End runs that the desk holds, and let go of them."""
        ended = set()
        for one in live:
            run = self.desk.find(RunItem, run_keys.run(self.issue.workspace_id, one.run_id))
            if run is not None:
                status, summary = ending(run)
                runs.finish(self.tx, run, status, summary=summary)
            ended.add(one.run_id)
        self.let_go(ended)

    def let_go(self, run_ids: Collection[str]) -> None:
        """The issue no longer has these runs among its live ones."""
        rest = [run for run in self.issue.live_runs if run.run_id not in run_ids]
        current = self.issue.current_run_id
        if current in run_ids:
            current = rest[-1].run_id if rest else None
        self.set(live_runs=rest, current_run_id=current)

    @property
    def is_worked_on(self) -> bool:
        """Whether what the calling agent does here is work: a word about a closed issue begins none."""
        return self.issue.is_open or self.issue.live_run_of(self.desk.ctx.caller.agent_id) is not None

    def work_on(self, kind: str, payload: Mapping[str, Any], *, current_step: str | None = None) -> RunItem:
        """The calling agent did something to the issue: its run begins, or is heard of."""
        origin, agent_id = self.tx.origin, self.desk.ctx.caller.agent_id
        live = self.issue.live_run_of(agent_id)
        run = live and self.desk.find(RunItem, run_keys.run(self.issue.workspace_id, live.run_id))
        if run and not run.is_live:
            # It ended between the reading of the issue and of the run.
            raise VersionMoved
        if run:
            touched = run.heard_of(origin.now, current_step=current_step)
            self.tx.replace(touched)
            runs.note(self.tx, run, kind, dict(payload))
            return touched
        agent = self._agent(str(agent_id))
        begun = self._new_run(agent, modes.for_own_work(self.desk.workspace, agent, self.issue))
        begun = begun.changed(output_started_at=origin.now, current_step=current_step)
        self._start(begun)
        return begun

    def save(self, *, lost: Refusal | None = None) -> IssueItem:
        """Write everything; the issue as it became. `lost` is what it means that somebody was quicker."""
        self._wake()
        for one in self._announced:
            record(
                self.tx,
                one.kind,
                subject=("issue", self.issue.id),
                action=one.action,
                payload=one.payload,
                before=self.before if one is self._announced[0] else None,
                after=self.issue if one is self._announced[0] else None,
                issue_id=self.issue.id,
                wakes=one.wakes,
                event_id=one.id,
            )
        if self.issue == self.before and not self._has_engaged:
            issues.touch(self.tx, self.issue)
            return self.issue.changed(updated_at=self.tx.origin.now)
        self.set(updated_at=self.tx.origin.now)
        issues.save(self.tx, self.before, self.issue, lost=lost)
        issues.settle_blocked(self.tx, self.before, self.issue, self.blocked)
        return self.issue

    def _wake(self) -> None:
        """Open or touch one run for each agent that is called, however many events call it."""
        strongest: dict[str, tuple[Call, _Announcement]] = {}
        for announcement in self._announced:
            for call in announcement.calls:
                known = strongest.get(call.agent_id)
                if known is None or call.reason > known[0].reason:
                    strongest[call.agent_id] = (call, announcement)
        for call, announcement in strongest.values():
            agent = self.desk.find(AgentItem, people_keys.agent(self.issue.workspace_id, call.agent_id))
            is_caller = call.agent_id == self.desk.ctx.caller.agent_id
            if agent is None or agent.archived_at is not None or (is_caller and not call.is_fresh):
                continue
            run_id = self._engage(agent, call, announcement)
            if run_id and not is_caller:
                announcement.wakes.append(Wake(agent_id=agent.id, run_id=run_id))

    def _engage(self, agent: AgentItem, call: Call, announcement: _Announcement) -> str | None:
        # On the runs as they were read: one that ends meanwhile must not swallow the call.
        self._has_engaged = True
        live = self.issue.live_run_of(agent.id)
        trigger = {"trigger_event_id": announcement.id, "trigger_kind": announcement.kind}
        if live is not None:
            self._touch(live, call, trigger)
            return live.run_id
        if call.reason is Reason.WATCHING and len(self.issue.live_runs) >= MAX_LIVE_RUNS:
            return None
        assigned = {"assignment_event_id": announcement.id} if call.is_fresh else {}
        run = self._new_run(agent, call.engagement).changed(**trigger, **assigned)
        self._start(run)
        return run.id

    def _touch(self, live: LiveRun, call: Call, trigger: dict[str, Any]) -> None:
        """With its version, so that a change that the agent makes meanwhile does not undo it."""
        workspace_id, agent_id = self.issue.workspace_id, live.agent_id
        mode, source = call.engagement
        if call.is_fresh:
            trigger |= {
                "engagement_mode": mode,
                "engagement_source": source,
                "assignment_event_id": trigger["trigger_event_id"],
            }
        self.tx.adjust(run_keys.run(workspace_id, live.run_id), add={"version": 1}, assign=trigger)
        if call.is_fresh and mode is not live.mode:
            guard = run_keys.live_run(workspace_id, agent_id, issue_id=self.issue.id, step_id=None)
            self.tx.adjust(guard, assign={"mode": mode})
            self.set(live_runs=modes.restamped(self.issue.live_runs, live.run_id, mode))

    def _new_run(self, agent: AgentItem, engagement: Engagement) -> RunItem:
        require_room(self.issue)
        return RunItem(
            workspace_id=self.issue.workspace_id,
            id=self.tx.origin.new_id("run"),
            issue_id=self.issue.id,
            agent_id=agent.id,
            engagement_mode=engagement[0],
            engagement_source=engagement[1],
            started_at=self.tx.origin.now,
            last_event_at=self.tx.origin.now,
        )

    def _start(self, run: RunItem) -> None:
        runs.start(self.tx, run)
        self.set(live_runs=[*self.issue.live_runs, run.as_live], current_run_id=run.id)

    def _agent(self, agent_id: str) -> AgentItem:
        found = self.desk.find(AgentItem, people_keys.agent(self.issue.workspace_id, agent_id))
        if found is None:
            raise LookupError(f"the desk must hold {agent_id}")
        return found


def require_room(issue: IssueItem) -> None:
    """Refuse what would begin a run where there are too many already."""
    if len(issue.live_runs) >= MAX_LIVE_RUNS:
        raise PreconditionFailed(
            f"This issue has {MAX_LIVE_RUNS} live runs already, which is the most.",
            hint="Let one of them be completed first; runs.list with the issueId shows them.",
        )


def keys_of_agents(desk: Desk) -> list[Key]:
    """The agents that nearly every change may wake or set to work, and the caller's run."""
    workspace_id, caller_id = desk.issue.workspace_id, desk.ctx.caller.agent_id
    agents = [agent_id for agent_id in (desk.issue.assigned_agent_id, caller_id) if agent_id]
    own = desk.issue.live_run_of(caller_id)
    wanted = [people_keys.agent(workspace_id, agent_id) for agent_id in agents]
    return [*wanted, run_keys.run(workspace_id, own.run_id)] if own else wanted


def keys_of_runs(desk: Desk, live: Iterable[LiveRun]) -> list[Key]:
    return [run_keys.run(desk.issue.workspace_id, run.run_id) for run in live]
