"""Which agent a queued issue goes to: by a rule, or by the workspace's mode. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple
from zlib import crc32

from forge.work.issues.auto_dispatch.dispatch_rules import DispatchRuleItem
from forge.work.issues.auto_dispatch.reasons import DispatchReason
from forge.work.issues.issues import IssueItem
from forge.work.workspace.people.agents import AgentItem, AgentRole, AgentStatus, LoadItem, PulseItem
from forge.work.workspace.workspaces import AutoDispatchMode, WorkspaceItem

RULE = "RULE"
NO_CANDIDATES = "no-candidates"
NOT_GIVEN_OUT = "not-given-out"

_NEVER = datetime.min.replace(tzinfo=UTC)
_MODES = frozenset(AutoDispatchMode) - {AutoDispatchMode.MANUAL_ONLY}


class Colleague(NamedTuple):
    agent: AgentItem
    pulse: PulseItem
    load: LoadItem


class Team(NamedTuple):
    """Everybody, and the rules about them."""

    colleagues: Sequence[Colleague]
    rules: Sequence[DispatchRuleItem]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent that auto-dispatch may give work to; whether it has room for one more."""

    agent: AgentItem
    last_dispatched_at: datetime | None
    eligible: bool
    match_count: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    mode: str
    candidates: Sequence[Candidate]
    chosen: Candidate | None
    reason: str
    rule_id: str | None = None

    @property
    def kept(self) -> DispatchReason:
        """What the issue says of it: without the candidates, because every list reads it."""
        chosen = self.chosen
        return DispatchReason(
            mode=self.mode,
            reason=self.reason,
            agent_id=chosen.agent.id if chosen else None,
            profile_key=chosen.agent.profile_key if chosen else None,
            match_count=chosen.match_count if chosen else None,
            rule_id=self.rule_id,
        )


def undecided(decision: Decision) -> Decision:
    """Where nothing is given out: nobody is chosen, whoever could be."""
    return replace(decision, chosen=None, reason=NOT_GIVEN_OUT, rule_id=None)


class Pick(NamedTuple):
    chosen: Candidate
    reason: str


def reason_against(workspace: WorkspaceItem, issue: IssueItem, now: datetime) -> str | None:
    """Why auto-dispatch leaves the issue alone; None if it does not."""
    if issue.assigned_agent_id is not None:
        return "already-assigned"
    if not issue.queued or not issue.is_open:
        return "not-queued"
    if issue.is_claimed(now):
        return "claimed"
    if issue.is_kept_back(now):
        return "queued-for-later"
    if not workspace.auto_dispatch:
        return "auto-dispatch-off"
    return None if is_auto_dispatching(workspace) else "manual-only"


def is_auto_dispatching(workspace: WorkspaceItem) -> bool:
    """Whether queued issues are given to agents; a mode that only another build knows is decided there."""
    return workspace.auto_dispatch and workspace.auto_dispatch_mode in _MODES


def choose(
    team: Team,
    issue: IssueItem,
    mode: AutoDispatchMode,
    *,
    label_names: Iterable[str] = (),
    losses: int = 0,
) -> Decision:
    """The first rule that fits and whose agent has room; else what the mode says.

    An agent that has the issue and is to lose it gets it back only where nobody else has room. `losses` is
    how often somebody else took the place that was chosen: then those who choose at once spread over agents
    that are as good.
    """
    candidates = candidates_of(team.colleagues, issue)
    if mode is AutoDispatchMode.CAPABILITY_MATCH:
        candidates = [_matched(one, label_names) for one in candidates]
    able = [one for one in candidates if one.eligible]
    eligible = [one for one in able if one.agent.id != issue.assigned_agent_id] or able
    if not eligible:
        return Decision(mode, candidates, None, NO_CANDIDATES)
    in_order = sorted(team.rules, key=lambda rule: rule.place)
    rule = next((rule for rule in in_order if rule.matches(issue)), None)
    if rule is None:
        return Decision(mode, candidates, *_by_mode(mode, eligible, issue, losses))
    target = next((one for one in eligible if one.agent.id == rule.target_agent_id), None)
    if target is None:
        picked = _by_mode(mode, eligible, issue, losses)
        return Decision(mode, candidates, picked.chosen, f"rule:{rule.id}:target-ineligible,{mode} pick")
    return Decision(RULE, candidates, target, f"rule:{rule.id}", rule.id)


def candidates_of(colleagues: Iterable[Colleague], issue: IssueItem) -> list[Candidate]:
    """Agents that auto-dispatch may choose: WORKERs at their post, each with whether it has room."""
    return [
        Candidate(agent, load.last_dispatched_at, eligible=_has_room(agent, load, issue))
        for agent, pulse, load in colleagues
        if agent.archived_at is None
        and agent.auto_dispatch_eligible
        and agent.role is AgentRole.WORKER
        and pulse.status in (AgentStatus.ONLINE, AgentStatus.BUSY)
    ]


def _has_room(agent: AgentItem, load: LoadItem, issue: IssueItem) -> bool:
    """The issue itself takes up no other place where the agent has it already."""
    others = load.open - (issue.assigned_agent_id == agent.id)
    return agent.max_concurrent == 0 or others < agent.max_concurrent


def _by_mode(mode: AutoDispatchMode, eligible: Sequence[Candidate], issue: IssueItem, losses: int) -> Pick:
    word = issue.priority.lower()
    able = [one for one in eligible if word in _folded(one.agent.capabilities)]
    if mode is AutoDispatchMode.PRIORITY_MATCH and able:
        return Pick(_next_in_turn(able, issue, losses), f"priority-match:{word}")
    if mode is AutoDispatchMode.CAPABILITY_MATCH:
        best = max(one.match_count or 0 for one in eligible)
        able = [one for one in eligible if (one.match_count or 0) == best]
        return Pick(_next_in_turn(able, issue, losses), f"capability-match:{best}")
    return Pick(_next_in_turn(eligible, issue, losses), "round-robin")


def _next_in_turn(able: Sequence[Candidate], issue: IssueItem, losses: int) -> Candidate:
    """The agent that was given an issue longest ago; one that never was comes first."""
    in_turn = sorted(able, key=lambda one: (one.last_dispatched_at or _NEVER, one.agent.id))
    place = crc32(f"{issue.id}#{losses}".encode()) % len(in_turn) if losses else 0
    return in_turn[place]


def _matched(candidate: Candidate, label_names: Iterable[str]) -> Candidate:
    known = _folded(candidate.agent.capabilities)
    return replace(candidate, match_count=len(known & _folded(label_names)))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)
