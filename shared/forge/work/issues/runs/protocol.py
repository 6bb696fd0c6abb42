"""What an agent is told about its run on an issue: what it may do there, and which calls it owes."""

from forge.context import Caller
from forge.contract.models import Model, Omittable
from forge.contract.names import portable
from forge.contract.spelling import AS_WRITTEN, Spelling
from forge.contract.terms import EXECUTE_ONLY, EngagementMode
from forge.errors import NotFound
from forge.work.issues.inbox.rows import ENDS_WITH, Duty
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.issues.runs.runs import CONTRACT_VERSION

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

_DUTIES = {
    Duty.JUDGE: "REVIEW: judge `step`, change nothing. Compare what was done (comments, artifacts, the"
    " summary of the run step.sourceRunId) with step.expectedOutput and step.verification. OBSERVED"
    " evidence was seen, REPORTED is a claim. Pass only what you have checked yourself; a FAIL says what to"
    " change, and its worker reads only that.",
    Duty.PLAN: "RESEARCH: break the goal of `plan` into steps, carry nothing out. goals.get shows it. A step"
    " is small; its worker and its judge read no more than its body, expectedOutput and verification.",
}

_NAMED = (
    "goals.get",
    "plans.addSteps",
    "plans.recordVerdict",
    "plans.requestApproval",
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
    issue: IssueItem, run: LiveRun | None, caller: Caller, *, canonical_names: bool = True
) -> RunProtocol:
    """What an agent is told of its run, or a person of the issue's; see `shown`.

    Tools are named as the reader's door lists them.
    """
    spelling = AS_WRITTEN if canonical_names else _PORTABLE
    bound = issue.engagements_of(caller.agent_id) if caller.agent_id else [run] if run else []
    mode = run.mode if run else EngagementMode.EXECUTE
    return RunProtocol(
        contract_version=CONTRACT_VERSION,
        run_id=run.run_id if run else None,
        engagement_mode=mode,
        mode_instruction=spelling.text(_instruction(run, mode)),
        protocol_instruction=spelling.text(
            duty_instruction(run)
            if run and run.duty in ENDS_WITH
            else protocol_instruction(mode, has_run=run is not None)
        ),
        # As the tools decide it: every run of the agent on the issue has to allow it.
        may_mutate_issue=EXECUTE_ONLY.issuperset(one.mode for one in bound),
    )


def shown(
    issue: IssueItem, current: LiveRun | None, caller: Caller, *, run_id: str | None = None
) -> LiveRun | None:
    """The run that a bundle is for: an agent's own, and for a person the issue's current one.

    Of several, that which was asked for; else the one for the issue itself, then those for steps.
    """
    own = issue.live_runs_of(caller.agent_id) if caller.agent_id else [current] if current else []
    if run_id is None:
        return min(own, key=lambda run: (run.place is not None, run.duty is not None), default=None)
    known = own if caller.agent_id else [*own, *issue.live_runs]
    found = next((run for run in known if run.run_id == run_id), None)
    if found is None:
        raise NotFound(
            f"There is no live run {run_id[:60]!r} of yours on this issue.",
            hint="Leave runId out, or look with runs.list what became of it.",
        )
    return found


def protocol_instruction(mode: EngagementMode, *, has_run: bool) -> str:
    when = "now and at each step" if has_run else "now (it answers your new runId) and at each step"
    return (
        f"1. comments.upsertStatus {{issueId, body, currentStep}} {when}."
        " 2. runs.setWaiting {runId, reason, blocking: true} when somebody must decide: comments.create"
        " asks them."
        " 3. runs.recordUsage {runId, tokensIn, tokensOut}."
        f" 4. runs.complete {{runId, summary{_REPORTS.get(mode, _REPORTS[EngagementMode.DISCUSS])}"
    )


def duty_instruction(run: LiveRun) -> str:
    """For one who judges or plans: what it gives ends its run."""
    waiting = "runs.setWaiting {runId, reason, blocking: true} when somebody must decide first."
    if run.duty is Duty.JUDGE:
        given = f'{{stepId: "{run.step_id}", verdict: PASS|FAIL, feedback, score: 0..1}}'
        return f"1. plans.recordVerdict {given}: that ends your run, runs.complete does not. 2. {waiting}"
    plan = f'planId: "{run.plan_id}"'
    return (
        f"1. plans.addSteps {{{plan}, steps: [{{title, body, expectedOutput, verification: [{{label}}],"
        " dependsOnStepIndexes}]}, as often as you need."
        f" 2. plans.requestApproval {{{plan}}}: that ends your run, runs.complete does not. 3. {waiting}"
    )


def _instruction(run: LiveRun | None, mode: EngagementMode) -> str:
    if run and run.duty in _DUTIES:
        return _DUTIES[run.duty]
    return _MODES.get(mode, _MODES[EngagementMode.DISCUSS])
