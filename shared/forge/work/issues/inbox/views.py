"""An inbox as it is shown: counted, or row by row with the calls that take each up."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from forge.context import Context
from forge.contract.models import Model, Omittable
from forge.contract.names import portable
from forge.work.issues.desks import Reach
from forge.work.issues.inbox.reading import InboxEntry, read
from forge.work.issues.inbox.rows import What

_TITLE = 120


class Waiting(Model):
    """How much waits for the agent; agent.inbox lists it."""

    runs: int
    to_judge: int
    to_plan: int
    mentions: int
    chat: int
    answers: int


class NextCall(Model):
    tool: str
    arguments: dict[str, Any]


class InboxRow(Model):
    """`call` takes it up; `then` is what settles it, where that is another call."""

    what: What
    since: datetime
    title: str
    issue: Omittable[str] = None
    call: NextCall
    then: Omittable[NextCall] = None


def counted(entries: Iterable[InboxEntry]) -> Waiting:
    found = Counter(one.what for one in entries)
    return Waiting(
        runs=found[What.RUN],
        to_judge=found[What.TO_JUDGE],
        to_plan=found[What.TO_PLAN],
        mentions=found[What.MENTION],
        chat=found[What.CHAT],
        answers=found[What.ANSWER],
    )


def waiting_for(ctx: Context) -> Waiting:
    """For the calling agent; three requests at most."""
    return counted(read(ctx).entries)


def row_of(ctx: Context, entry: InboxEntry, reach: Reach) -> InboxRow | None:
    """None of an issue that is gone."""
    issue = reach.find(entry.issue_id) if entry.issue_id else None
    if entry.issue_id and issue is None:
        return None
    identifier = reach.names.identifier(issue.number) if issue else None
    title = entry.title or (issue.title if issue else "")
    named: Callable[[str], str] = (lambda name: name) if ctx.call.canonical_names else portable
    look, settle = calls_of(entry, identifier)
    return InboxRow(
        what=entry.what,
        since=entry.since,
        title=title if len(title) <= _TITLE else f"{title[:_TITLE]}…",
        issue=identifier,
        call=NextCall(tool=named(look[0]), arguments=look[1]),
        then=NextCall(tool=named(settle[0]), arguments=settle[1]) if settle else None,
    )


Call = tuple[str, dict[str, Any]]


def calls_of(entry: InboxEntry, identifier: str | None) -> tuple[Call, Call | None]:
    """The call by which an agent takes an inbox entry up, and the one that settles it."""
    subject = entry.subject_id
    bundle: Call = ("agent.context.bundle", {"issueId": identifier, "runId": entry.run_id})
    match entry.what:
        case What.TO_JUDGE:
            step: Call = ("executionPlans.get", {"id": entry.plan_id, "stepId": subject})
            return bundle if entry.run_id else step, ("plans.recordVerdict", {"stepId": subject})
        case What.TO_PLAN:
            goal: Call = ("goals.get", {"id": entry.goal_id})
            return bundle if entry.run_id else goal, ("plans.addSteps", {"planId": subject})
        case What.CHAT:
            thread: dict[str, Any] = {"threadId": subject}
            return ("agent.context.bundle", thread), ("chat.appendMessage", thread)
        case What.ANSWER:
            return ("agent.inbox.ack", {"requestId": subject}), None
        case _:
            return bundle, None
