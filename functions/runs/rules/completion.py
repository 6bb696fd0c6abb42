"""The end of a run as its agent reports it: stored with the run, and perhaps the issue moves on."""

from collections.abc import Sequence
from typing import Any

from forge.context import Context
from forge.contract.terms import EngagementMode
from forge.store.keys import Key
from forge.store.transactions import VersionMoved
from forge.work import texts
from forge.work.issues import transitions
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk
from forge.work.issues.issues import CLOSED
from forge.work.people import people_keys
from forge.work.runs import runs
from forge.work.runs.runs import CONTRACT_VERSION, FollowUp, RunItem, RunStatus, RunTextItem
from forge.work.workspaces.statuses import StatusCategory, StatusCopy
from functions.runs.models import CompleteRun
from functions.runs.rules import gates

_LEFT_WHERE_IT_IS = CLOSED | {StatusCategory.IN_REVIEW}


def review_status(desk: Desk, run: RunItem) -> StatusCopy | None:
    """Where done work goes to be reviewed, if the workspace says so and the issue is not that far yet."""
    if run.engagement_mode is not EngagementMode.EXECUTE or desk.issue.category in _LEFT_WHERE_IT_IS:
        return None
    status = desk.workspace.status(desk.workspace.review_status_id or "")
    return status if status and status.category is StatusCategory.IN_REVIEW else None


def others_to_tell(desk: Desk) -> Sequence[Key]:
    """Who hears of it when the issue moves: whoever has it, unless that is the caller."""
    assignee = desk.issue.assigned_agent_id
    if assignee is None or assignee == desk.ctx.caller.agent_id:
        return ()
    return (people_keys.agent(desk.issue.workspace_id, assignee),)


def complete(
    change: IssueChange, run: RunItem, *, request: CompleteRun, status: StatusCopy | None
) -> RunItem:
    """End the run with its report; `status` is where the issue goes."""
    tx = change.tx
    reported = run.changed(
        last_event_at=tx.origin.now,
        produced_artifact_ids=request.produced_artifact_ids,
        completion_meta=_meta(run, request),
    )
    ended = runs.finish(tx, reported, RunStatus.COMPLETED, summary=request.summary)
    # Who comes second finds it here; decided again, the run is over.
    tx.create(_text(change.desk.ctx, run, request=request), refusal=lambda _: VersionMoved())
    body = gates.body_of(change.desk)
    if body and run.engagement_mode is EngagementMode.EXECUTE:
        # The checklist changes without the head; one that was not looked at must not pass.
        tx.check(body)
    change.let_go({run.id})
    if status:
        transitions.move(change, status, via={"via": "run-complete", "runId": run.id})
    change.save()
    return ended


def _meta(run: RunItem, request: CompleteRun) -> dict[str, Any]:
    said = {"confidence": request.confidence, "verdict": request.verdict}
    known = {name: word for name, word in said.items() if word is not None}
    return {"contractVersion": CONTRACT_VERSION, "mode": run.engagement_mode, **known}


def _text(ctx: Context, run: RunItem, *, request: CompleteRun) -> RunTextItem:
    name = f"{run.workspace_id}/{run.issue_id}/{ctx.new_id('txt')}"
    return RunTextItem(
        workspace_id=run.workspace_id,
        run_id=run.id,
        summary=texts.keep(ctx.services.store.blobs, request.summary or "", name=name),
        verification_result=[result.model_dump() for result in request.verification_result],
        follow_ups=[FollowUp(**one.model_dump()) for one in request.follow_ups],
    )
