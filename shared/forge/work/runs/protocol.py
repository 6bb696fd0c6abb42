"""What an agent is told about its run on an issue: what it may do there, and which calls it owes."""

from forge.context import Caller
from forge.contract.models import Model, Omittable
from forge.contract.names import portable
from forge.contract.spelling import AS_WRITTEN, Spelling
from forge.contract.terms import EXECUTE_ONLY, EngagementMode
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.runs.runs import CONTRACT_VERSION, RunItem

MAX_INSTRUCTION = 400

_MODES = {
    EngagementMode.EXECUTE: "EXECUTE: do the work until it is done. You may edit and move the issue, relate"
    " it and make artifacts for it. Read completionContract first: runs.complete holds you to it. Ask with"
    " comments.create before anything that can't be undone and was not asked for.",
    EngagementMode.RESEARCH: "RESEARCH: find out and report, change nothing. Edits, moves, assignments,"
    " relations and artifacts of the issue are refused. Post findings with their evidence by comments.create,"
    " and say how sure you are. If work should follow, ask for an assignment with mode EXECUTE.",
    EngagementMode.REVIEW: "REVIEW: judge what is there, change nothing. Edits, moves, assignments, relations"
    " and artifacts of the issue are refused. Post what is wrong, where and why by comments.create, the"
    " gravest first; your verdict is APPROVE or REQUEST_CHANGES.",
    EngagementMode.DISCUSS: "DISCUSS: answer, and do nothing else. Edits, moves, assignments, relations and"
    " artifacts of the issue are refused. Reply by comments.create. If work should follow, say so and ask for"
    " an assignment with mode EXECUTE.",
}

_REPORTS = {
    EngagementMode.EXECUTE: ", verificationResult: {id, label, done: true} per checklist item,"
    " producedArtifactIds if artifactRequired}.",
    EngagementMode.RESEARCH: ", confidence: LOW|MEDIUM|HIGH}.",
    EngagementMode.REVIEW: ", verdict: APPROVE|REQUEST_CHANGES}.",
    EngagementMode.DISCUSS: "} and nothing more.",
}

_NAMED = (
    "comments.create",
    "comments.upsertStatus",
    "runs.complete",
    "runs.recordUsage",
    "runs.setWaiting",
)
_PORTABLE = Spelling({name: portable(name) for name in _NAMED})
"""A function of one namespace knows no tools but its own, so what these texts name stands here."""


class RunProtocol(Model):
    """`runId` is the run to report on; left out while the agent has none: its first status begins one."""

    contract_version: str
    run_id: Omittable[str] = None
    engagement_mode: EngagementMode
    mode_instruction: str
    protocol_instruction: str
    may_mutate_issue: bool


def protocol_of(
    issue: IssueItem, current: RunItem | None, caller: Caller, *, canonical_names: bool = True
) -> RunProtocol:
    """An agent is told of its own run alone, and a person of the issue's current one.

    Tools are named as the reader's door lists them.
    """
    spelling = AS_WRITTEN if canonical_names else _PORTABLE
    live = issue.live_runs_of(caller.agent_id) if caller.agent_id else [current.as_live] if current else []
    run = _first(live)
    mode = run.mode if run else EngagementMode.EXECUTE
    return RunProtocol(
        contract_version=CONTRACT_VERSION,
        run_id=run.run_id if run else None,
        engagement_mode=mode,
        mode_instruction=spelling.text(_MODES.get(mode, _MODES[EngagementMode.DISCUSS])),
        protocol_instruction=spelling.text(protocol_instruction(mode, has_run=run is not None)),
        # As the tools decide it: every run of the agent on the issue has to allow it.
        may_mutate_issue=EXECUTE_ONLY.issuperset(one.mode for one in live),
    )


def protocol_instruction(mode: EngagementMode, *, has_run: bool) -> str:
    when = "now and at each step" if has_run else "now (it answers your new runId) and at each step"
    return (
        f"1. comments.upsertStatus {{issueId, body, currentStep}} {when}."
        " 2. runs.setWaiting {runId, reason, blocking: true} when somebody must decide: comments.create"
        " asks them."
        " 3. runs.recordUsage {runId, tokensIn, tokensOut}."
        f" 4. runs.complete {{runId, summary{_REPORTS.get(mode, _REPORTS[EngagementMode.DISCUSS])}"
    )


def _first(live: list[LiveRun]) -> LiveRun | None:
    """The run for the issue itself comes before those for steps of a plan."""
    return min(live, key=lambda run: run.step_id is not None, default=None)
