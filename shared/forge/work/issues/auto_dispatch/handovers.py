"""Auto-dispatch: reads who could take an issue, and puts into its change who gets it."""

from typing import Any

from forge.context import Context
from forge.store.table import Table
from forge.store.transactions import VersionMoved
from forge.work.issues import assignments
from forge.work.issues.announcements import DispatchCandidate, DispatchChoice, DispatchTold
from forge.work.issues.auto_dispatch import choices
from forge.work.issues.auto_dispatch.choices import Candidate, Colleague, Decision, Team
from forge.work.issues.auto_dispatch.dispatch_rules import MAX_RULES, DispatchRuleItem
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk
from forge.work.issues.issues import IssueItem
from forge.work.workspace.people import agents
from forge.work.workspace.people.agents import AGENTS, FEW_AGENTS, MAX_AGENTS, AgentItem

_MOST_TOLD = 20
_LOSSES = "dispatch losses"
_MOST_READ = 3 * (MAX_AGENTS + 100) + MAX_RULES + 100
"""Some more than there may be: two who add the last one at once both succeed."""


def offer(change: IssueChange) -> None:
    """Give a queued issue to an agent, if the workspace does that and one has room; two requests then.

    Where it is left to nobody it says why, unless nothing else happens to it.
    """
    issue = change.issue
    if choices.reason_against(change.desk.workspace, issue, change.now):
        return
    decision = _decide(change, issue)
    if decision.chosen is not None:
        _give(change, decision)
    elif change.announced:
        change.set(dispatch_reason=decision.kept)


def give_away(change: IssueChange) -> None:
    """Take an issue from its agent and give it to whoever auto-dispatch finds; the same one if need be."""
    free = change.issue.changed(assigned_agent_id=None)
    against = choices.reason_against(change.desk.workspace, free, change.now)
    decision = None if against else _decide(change, change.issue)
    if decision is None or decision.chosen is None:
        assignments.take_back(change)
        change.set(dispatch_reason=decision.kept if decision else None)
        return
    if decision.chosen.agent.id != change.issue.assigned_agent_id:
        assignments.take_back(change)
    _give(change, decision)


def try_out(desk: Desk) -> tuple[str | None, Decision]:
    """Why the issue is left alone as it is, and who would get it if it were not; one request."""
    issue, workspace = desk.issue, desk.workspace
    against = choices.reason_against(workspace, issue, desk.ctx.now())
    free = issue.changed(assigned_agent_id=None)
    decision = choices.choose(
        read_team(desk.ctx.table, issue.workspace_id),
        free,
        workspace.auto_dispatch_mode,
        label_names=_label_names(desk, issue),
    )
    return against, decision if choices.is_auto_dispatching(workspace) else choices.undecided(decision)


def read_team(table: Table, workspace_id: str) -> Team:
    """Every agent with its pulse and its load, and the rules; one request."""
    rows = table.query_all(AGENTS(workspace_id), most=_MOST_READ, because=FEW_AGENTS)
    colleagues = [Colleague(*one) for one in agents.with_loads(rows)]
    return Team(colleagues, rows.of(DispatchRuleItem))


def _decide(change: IssueChange, issue: IssueItem) -> Decision:
    desk = change.desk
    return choices.choose(
        read_team(desk.ctx.table, issue.workspace_id),
        issue,
        desk.workspace.auto_dispatch_mode,
        label_names=_label_names(desk, issue),
        losses=_losses(desk.ctx),
    )


def _label_names(desk: Desk, issue: IssueItem) -> list[str]:
    labels = [desk.names.label(label_id) for label_id in issue.label_ids]
    return [label.name for label in labels if label]


def _losses(ctx: Context) -> int:
    """How often this call has been decided before."""
    ctx.memory[_LOSSES] = ctx.memory.get(_LOSSES, -1) + 1
    return int(ctx.memory[_LOSSES])


def _give(change: IssueChange, decision: Decision) -> None:
    """The agent is read once more, with what its assignment is decided on: it may be gone meanwhile."""
    chosen_id = decision.chosen.agent.id if decision.chosen else ""
    change.desk.fetch(assignments.needs(change.issue, chosen_id))
    agent = change.desk.find(AgentItem, AgentItem.at(change.issue.workspace_id, chosen_id))
    if agent is None or agent.archived_at is not None:
        raise VersionMoved
    assignments.auto_assign(change, agent, decision.kept, told=_told(decision))


def _told(decision: Decision) -> DispatchTold:
    """Whoever was chosen first, and then some of the others: an event has to fit into a message."""
    chosen = decision.chosen
    in_order = sorted(decision.candidates, key=lambda one: (one is not chosen, not one.eligible))
    return DispatchTold(
        mode=decision.mode,
        candidates=[
            DispatchCandidate(**_identity(one), eligible=one.eligible) for one in in_order[:_MOST_TOLD]
        ],
        chosen=DispatchChoice(**_identity(chosen)) if chosen else None,
        reason=decision.reason,
    )


def _identity(candidate: Candidate) -> dict[str, Any]:
    matched = {} if candidate.match_count is None else {"match_count": candidate.match_count}
    return {"agent_id": candidate.agent.id, "profile_key": candidate.agent.profile_key, **matched}
