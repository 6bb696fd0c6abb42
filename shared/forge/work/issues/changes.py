"""A change of one issue, as a value: its new head, what is told of it, and whose runs begin, go on or end.

Nothing here reads or writes. A rule puts into a change what shall happen, the change works out what follows
from that on what the desk holds, and `saving` writes all of it.
"""

from collections.abc import Callable, Collection, Iterable

from forge.contract.effects import Emission, Told
from forge.contract.terms import EngagementMode
from forge.store.keys import Key
from forge.store.strangers import is_known
from forge.store.transactions import VersionMoved
from forge.work.issues import heads
from forge.work.issues.announcements import ISSUE_MOVED, StatusChanged
from forge.work.issues.claims import holds
from forge.work.issues.desks import Desk
from forge.work.issues.heads import Seat
from forge.work.issues.issues import NOT_STARTED, IssueItem, LiveRun
from forge.work.issues.runs import modes, signs, silence, waking
from forge.work.issues.runs.modes import Engagement
from forge.work.issues.runs.runs import EngagementSource, RunItem, RunStatus, require_live
from forge.work.issues.runs.signs import HeardRun, Touched
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.issues.watchers import WatchItem, new_watch
from forge.work.record.changes import About, Announcement, Change
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.statuses import StatusCopy

Ending = Callable[[RunItem], tuple[RunStatus, str]]
"""How a run ends, and what is written on it."""


class IssueChange(Change[IssueItem]):
    """What happens to an issue.

    `begin_change` makes one and fetches what nearly every change is decided on. A change that is told to
    nobody but those whom it names can do without.
    """

    def __init__(self, desk: Desk, *, is_work: bool = False) -> None:
        super().__init__(desk.issue)
        self.desk = desk
        self.is_work = is_work
        """Whether an agent that makes it works on the issue; who plans many of them works on none."""
        self.now = desk.ctx.now()
        self.calls: dict[str, list[WakeCall]] = {}
        """Whom each event calls, by its id."""
        self.begun: list[RunItem] = []
        self.heard: list[HeardRun] = []
        self.ended: list[RunItem] = []
        self.touched: list[Touched] = []
        self.seen: LiveRun | None = None
        """The run of the calling agent that only hears that it is there."""
        self.watches: list[WatchItem] = []
        self.crowded_out: list[AgentItem] = []
        """Those whose run did not begin because the issue has as many as it can have."""
        self.seat: Seat | None = None
        """The agent's place that auto-dispatch gives to the issue."""
        self.description: str | None = None
        """A text for an issue that has none."""
        self.is_settled = False

    @property
    def issue(self) -> IssueItem:
        """The issue with the changes made so far."""
        return self.after

    @property
    def caller_agent_id(self) -> str | None:
        return self.desk.ctx.caller.agent_id

    def announce(
        self,
        emission: Emission,
        told: Told,
        *,
        action: str,
        calls: Iterable[WakeCall] = (),
        is_quiet: bool = False,
        about: About | None = None,
    ) -> str:
        """Tell of what happened; the event's id. Unless it is quiet, the assignee hears of it, too."""
        called = [*calls]
        assignee = self.issue.assigned_agent_id
        # What happens to a closed issue is nobody's work.
        if assignee and self.issue.is_open and not is_quiet:
            called.append(WakeCall(assignee, Reason.WATCHING, modes.for_watcher()))
        event = self.tell(self.desk.ctx, emission, told, action=action, about=about)
        self.calls[event.id] = called
        return event.id

    def watch(self, *, agent_id: str | None = None, user_id: str | None = None) -> None:
        """Somebody follows the issue from now on, if they do not already, or for another reason as well."""
        watcher_id = str(agent_id or user_id)
        key = WatchItem.at(self.issue.workspace_id, self.issue.id, watcher_id)
        if self.desk.find(WatchItem, key) is None and all(one.key != key for one in self.watches):
            self.watches.append(new_watch(self.desk.ctx, self.issue, agent_id=agent_id, user_id=user_id))

    def end_runs(self, live: Iterable[LiveRun], ending: Ending) -> None:
        """End runs, and let go of them."""
        over = set()
        for one in live:
            run = self.desk.find(RunItem, RunItem.at(self.issue.workspace_id, one.run_id))
            if run is not None:
                if not is_known(run.status):
                    # Another build's, to be ended there.
                    continue
                status, summary = ending(run)
                self.ended.append(run.over(status, self.now, summary=summary))
            over.add(one.run_id)
        self.let_go(over)

    def let_go(self, run_ids: Collection[str], *, stays_current: bool = False) -> None:
        """The issue no longer has these runs among its live ones; one that stalled is shown all the same."""
        rest = [run for run in self.issue.live_runs if run.run_id not in run_ids]
        current = self.issue.current_run_id
        if current in run_ids and not stays_current:
            current = rest[-1].run_id if rest else None
        self.set(live_runs=rest, current_run_id=current)

    @property
    def is_worked_on(self) -> bool:
        """Whether what the calling agent does here is work: a word about a closed issue begins none."""
        return self.issue.is_open or self.issue.run_at_work_of(self.caller_agent_id) is not None

    def work_on(self, *, current_step: str | None = None) -> RunItem | None:
        """The calling agent did something to the issue: its run begins, or is heard of.

        None where there is no room for one more, or somebody else has claimed the issue: then what it did
        stands all the same.
        """
        run = self._own_run()
        if run is not None:
            heard = signs.heard(run, self.desk.workspace, self.now, current_step=current_step)
            self.heard.append(HeardRun(heard, is_new=heard is not run))
            return heard
        agent, engagement = self._caller_agent(), self.own_engagement
        is_execution = engagement[0] is EngagementMode.EXECUTE
        if is_execution and holds.others_claim(self.issue, self.desk.ctx.caller, self.now):
            return None
        return self._begin_own(agent, engagement, output_started_at=self.now, current_step=current_step)

    @property
    def own_engagement(self) -> Engagement:
        """Of the run that the calling agent would begin by itself."""
        return modes.for_own_work(self.desk.workspace, self._caller_agent(), self.issue)

    def get_going(self, run: RunItem | None) -> None:
        """What was only planned is in progress once an EXECUTE run works on it, where that is wanted."""
        status = self.desk.workspace.status_once_begun
        is_execution = run is not None and run.engagement_mode is EngagementMode.EXECUTE
        if status and is_execution and self.issue.category in NOT_STARTED:
            self.move_to(status, is_quiet=True, auto=True)

    def move_to(self, status: StatusCopy, *, is_quiet: bool, **cause: object) -> None:
        before, left = self.issue, self.desk.workspace.status(self.issue.status_id)
        names = {"status_name": status.name, "from_name": left.name if left else before.category.value}
        self.set(**heads.stamps(before, status, self.now))
        told = StatusChanged(status_id=status.id, from_=before.status_id, **names, **cause)
        self.announce(ISSUE_MOVED, told, action="transition", is_quiet=is_quiet)

    def begin_claimed(self, event_id: str) -> None:
        """The calling agent has claimed the issue: work begins with that, unless it is at it already."""
        if self._own_run() is None:
            engagement = EngagementMode.EXECUTE, EngagementSource.AGENT_REQUEST
            trigger = {"trigger_event_id": event_id, "trigger_kind": EventKind.ISSUE_UPDATED}
            self._begin_own(self._caller_agent(), engagement, **trigger)

    def _begin_own(self, agent: AgentItem, engagement: Engagement, **fields: object) -> RunItem | None:
        """Whoever let the run for a step of a plan stall goes on with that step."""
        if not self.issue.has_room:
            self.crowded_out.append(agent)
            return None
        last = [self.desk.find(RunItem, key) for key in signs.keys_of_last_run(self.issue)]
        step_id = signs.step_left(last, agent.id)
        mode = EngagementMode.EXECUTE if step_id else engagement[0]
        begun = signs.new_run(self.desk, agent, (mode, engagement[1]), execution_step_id=step_id, **fields)
        self.start(begun)
        return begun

    def settle(self) -> None:
        """Work out what follows from all that was announced: one run for each agent that is called."""
        if self.is_settled:
            raise RuntimeError("a change is settled once, and nothing is added to it after that")
        self.is_settled = True
        self.after = self.issue.with_claim_kept_up(self.desk.ctx.caller, self.now)
        called = waking.strongest((one, self.calls[one.id]) for one in self.announced)
        agents = {call.agent_id: self.desk.names.agent(call.agent_id) for _, call in called}
        for event, call in waking.those_who_hear(called, agents, caller_id=self.caller_agent_id):
            run_id = self._engage(call, event)
            if call.agent_id != self.caller_agent_id:
                event.wakes.append(Wake(agent_id=call.agent_id, run_id=run_id))
        if self.is_work and (self.announced or self.is_changed):
            changed = [*self.begun, *self.ended, *(one.run for one in self.heard)]
            written = {run.id for run in changed} | {one.live.run_id for one in self.touched}
            self.seen = signs.seen(self.desk, self.caller_agent_id, written)

    def _engage(self, call: WakeCall, event: Announcement) -> str | None:
        """The run that the call is for; none where there is no room for one more."""
        # On the runs as they were read: one that ends meanwhile must not swallow the call.
        own, at_work = self.issue.live_run_of(call.agent_id), self.issue.run_at_work_of(call.agent_id)
        live = own if call.is_fresh else at_work
        called = {"trigger_event_id": event.id, "trigger_kind": event.emission.kind}
        trigger: dict[str, object] = {**called, "called_at": self.now}
        if live is not None:
            self._touch(live, call, trigger)
            return live.run_id
        agent = self.desk.get(AgentItem, AgentItem.at(self.issue.workspace_id, call.agent_id))
        if not self.issue.has_room:
            if call.reason is not Reason.WATCHING:
                self.crowded_out.append(agent)
            return None
        assigned = {"assignment_event_id": event.id, "assigned_at": self.now} if call.is_fresh else {}
        run = signs.new_run(self.desk, agent, call.engagement, **trigger, **assigned)
        self.start(run)
        return run.id

    def _touch(self, live: LiveRun, call: WakeCall, trigger: dict[str, object]) -> None:
        mode, source = call.engagement
        if not call.is_fresh:
            if call.ends_waiting and call.agent_id != self.caller_agent_id:
                run = self.desk.find(RunItem, RunItem.at(self.issue.workspace_id, live.run_id))
                trigger |= silence.answered(run, self.desk.workspace, self.now)
            self.touched.append(Touched(live, trigger))
            return
        trigger |= {
            "engagement_mode": mode,
            "engagement_source": source,
            "assignment_event_id": trigger["trigger_event_id"],
        }
        key = RunItem.at(self.issue.workspace_id, live.run_id)
        trigger |= silence.given_anew(key, self.desk.workspace, self.now)
        self.touched.append(Touched(live, trigger, mode if mode is not live.mode else None))
        if mode is not live.mode:
            self.set(live_runs=modes.restamped(self.issue.live_runs, live.run_id, mode))

    def start(self, run: RunItem) -> None:
        """A run of somebody who has none here: it is among the live ones from now on."""
        self.begun.append(run)
        self.set(live_runs=[*self.issue.live_runs, run.as_live], current_run_id=run.id)

    def _own_run(self) -> RunItem | None:
        live = self.issue.run_at_work_of(self.caller_agent_id)
        if live is None:
            return None
        run = self.desk.find(RunItem, RunItem.at(self.issue.workspace_id, live.run_id))
        if run and not run.is_live:
            if is_known(run.status):
                # It ended between the reading of the issue and of the run.
                raise VersionMoved
            require_live(run)
        return run

    def _caller_agent(self) -> AgentItem:
        place = AgentItem.at(self.issue.workspace_id, str(self.caller_agent_id))
        return self.desk.get(AgentItem, place)


def begin_change(
    desk: Desk, also: Iterable[Key] = (), *, issue_ids: Iterable[str] = (), takes_over: bool = False
) -> IssueChange:
    """A change of the issue on the desk, with what nearly every one is decided on: one request at most.

    That is the agents that may be woken or begin to work, and the caller's own run. `also` is what the tool
    shows or decides on besides, `issue_ids` are other issues that change along. What another session of the
    caller has claimed is refused, unless this is how it is taken over.
    """
    if not takes_over:
        holds.require_not_taken_over(desk)
    desk.fetch([*decided_on(desk), *also], issue_ids=issue_ids)
    return IssueChange(desk, is_work=True)


def keys_of_runs(issue: IssueItem, live: Iterable[LiveRun]) -> list[Key]:
    return [RunItem.at(issue.workspace_id, run.run_id) for run in live]


def decided_on(desk: Desk) -> list[Key]:
    """The agents that nearly every change may wake or set to work, and the caller's run."""
    issue, caller_id = desk.issue, desk.ctx.caller.agent_id
    agents = [agent_id for agent_id in (issue.assigned_agent_id, caller_id) if agent_id]
    own = issue.run_at_work_of(caller_id)
    wanted = [AgentItem.at(issue.workspace_id, agent_id) for agent_id in agents]
    if own:
        return [*wanted, *keys_of_runs(issue, [own])]
    return [*wanted, *signs.keys_of_last_run(issue)] if caller_id else wanted
