"""Lists of requests, a request with its votes, how one is raised, and what is stored of a decision."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from forge.context import Context
from forge.store.cursors import Cursors
from forge.store.keys import Key
from forge.store.pages import Found
from forge.store.transactions import Transaction
from forge.store.walks import Listing, Source, one_partition
from forge.work.content.references.resolving import places_of, require_known
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import (
    Desk,
    Reference,
    no_such_issue,
    open_issue,
    read_issues,
    resolve,
    settings_in,
    settings_key,
)
from forge.work.issues.pages.sights import Sight, require_unnarrowed
from forge.work.issues.runs import modes
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.issues.saving import save
from forge.work.plans.approvals import approvals
from forge.work.plans.requests import cards, deciding, raising, requests
from forge.work.plans.requests.announcements import REQUEST_SETTLED, RequestSettled
from forge.work.plans.requests.raising import Raised, WantedRequest
from forge.work.plans.requests.requests import (
    OF_REQUEST,
    REQUESTS_IN_STATUS,
    REQUESTS_LISTED,
    REQUESTS_OF_AGENT,
    REQUESTS_OF_ISSUE,
    RequestItem,
    RequestStatus,
    RequestTextItem,
    VoteItem,
)
from forge.work.record.changes import About
from forge.work.record.log.rows import Wake
from forge.work.workspace.people.members import MAX_MEMBERS
from forge.work.workspace.people.names import Names
from functions.action_requests import answering
from functions.action_requests.models import CreateRequest, ListRequests
from functions.action_requests.opening import Opened, open_request
from functions.action_requests.views import RequestRow, card_of, row_of

_MOST_VOTES = MAX_MEMBERS + 100


def raised(ctx: Context, request: CreateRequest, wanted: WantedRequest) -> tuple[Raised, Desk | None]:
    """The request as it begins, and its issue; everything that it names is there. One request."""
    source = (request.source_type, request.source_id)
    needed = raising.needs(ctx.caller.workspace_id, wanted)
    if request.issue_id is None:
        require_unnarrowed(ctx.caller, "request")
        known = ctx.table.read([settings_key(ctx), *needed])
        names = Names(settings_in(ctx, known), known)
        return raising.raised(ctx, wanted, names, source=source), None
    desk = open_issue(ctx, request.issue_id, lambda _: needed, beside=wanted.others)
    return raising.raised(ctx, wanted, desk, source=source), desk


def open_poll(ctx: Context, request_id: str) -> tuple[Opened, list[VoteItem]]:
    """A request with all votes on it; three requests."""
    opened = open_request(ctx, request_id)
    partition = OF_REQUEST(ctx.caller.workspace_id, opened.request.id)
    rows = ctx.table.query_all(partition, most=_MOST_VOTES, because="each member has one vote")
    return opened, rows.of(VoteItem)


def open_ballot(ctx: Context, request_id: str) -> tuple[Opened, VoteItem | None]:
    """A request, and the caller's own vote."""
    place = VoteItem.at(ctx.caller.workspace_id, request_id, str(ctx.caller.user_id))
    opened = open_request(ctx, request_id, first=[place])
    return opened, opened.readings.find(VoteItem, place)


class ListedRequests(NamedTuple):
    """A page of requests, and how each is shown."""

    found: Found[RequestItem]
    row: Callable[[RequestItem], RequestRow]


def read_list(ctx: Context, request: ListRequests) -> ListedRequests:
    """Requests about issues that the caller may see, and for keys that see all issues about none."""
    asked = resolve(ctx, request.issue_id) if request.issue_id else None
    asked_for = places_of(request, ctx)
    is_whole = "card" in request.include
    sight = _sight(ctx, asked, also=asked_for, is_whole=is_whole)
    found = sight.page(
        RequestItem,
        _listing(ctx, request, asked=asked),
        request,
        _filter(ctx, request, asked=asked),
        only=RequestItem.at(ctx.caller.workspace_id, request.id) if request.id else None,
    )
    require_known(ctx, asked_for, sight.reach.readings)
    if asked:
        sight.reach.show(asked, missing=no_such_issue(str(request.issue_id)))
    is_alone = request.id is not None
    if is_whole:
        _read_duplicated(ctx, sight, found.items)
    if is_whole and is_alone:
        _read_steps(sight, found.items)
    return ListedRequests(found, lambda one: _row(ctx, sight, one, is_whole=is_whole, is_alone=is_alone))


def _listing(ctx: Context, request: ListRequests, *, asked: Reference | None) -> Listing:
    """What the most selective index gives; the rest of the filters is looked at in memory."""
    workspace_id = ctx.caller.workspace_id
    partition, index = REQUESTS_LISTED(workspace_id), "updated"
    if asked:
        partition, index = REQUESTS_OF_ISSUE(workspace_id, asked.issue_id), "subject"
    elif request.assigned_agent_id:
        partition, index = REQUESTS_OF_AGENT(workspace_id, request.assigned_agent_id), "agent"
    elif request.status:
        return _in_status(workspace_id, request.status)
    return one_partition(partition, index, is_descending=True)


def _in_status(workspace_id: str, status: RequestStatus) -> Listing:
    """What is open with what was put off until now, which nobody may have written down yet."""
    stored = [status, *([RequestStatus.SNOOZED] if status is RequestStatus.OPEN else [])]
    partitions = [REQUESTS_IN_STATUS(workspace_id, one) for one in stored]
    sources = [Source(partition, "board") for partition in partitions]
    return Listing(sources, Cursors(partitions[0], "board", "down"), is_descending=True)


def _filter(
    ctx: Context, request: ListRequests, *, asked: Reference | None
) -> Callable[[RequestItem], bool] | None:
    """All of the filters, because an index may lag; None where there is none."""
    wanted: Mapping[str, str | None] = {
        "status": request.status,
        "assigned_agent_id": request.assigned_agent_id,
        "assigned_user_id": request.assigned_user_id,
        "issue_id": asked.issue_id if asked else None,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    if not given:
        return None

    def accepts(item: RequestItem) -> bool:
        now = item.as_of(ctx.now())
        return all(getattr(now, name) == value for name, value in given.items())

    return accepts


def _sight(
    ctx: Context, asked: Reference | None, *, also: Iterable[Key], is_whole: bool
) -> Sight[RequestItem]:
    """What is shown with requests, and decides whether they are."""

    def beside(item: RequestItem) -> list[Key]:
        return [item.text_key, *cards.names_of(item), *approvals.keys_of(item)] if is_whole else []

    return Sight(
        ctx,
        lambda item: item.issue_id,
        beside,
        asked=asked.issue_id if asked else None,
        also=[settings_key(ctx), *also],
    )


def _read_duplicated(ctx: Context, sight: Sight[RequestItem], items: Iterable[RequestItem]) -> None:
    """The issues that others are said to be duplicates of: one request more where there are any."""
    others = {item.payload.duplicate_of_issue_id for item in items if item.payload}
    read_issues(ctx, [one for one in others if one], readings=sight.reach.readings)


def _read_steps(sight: Sight[RequestItem], items: Iterable[RequestItem]) -> None:
    """Of the plan that one request asks about: one request more."""
    readings = sight.reach.readings
    plans = [approvals.plan_in(readings, item) for item in items]
    readings.fetch(key for plan in plans if plan for key in approvals.keys_of_steps(plan))


def _row(
    ctx: Context, sight: Sight[RequestItem], stored: RequestItem, *, is_whole: bool, is_alone: bool
) -> RequestRow:
    reach, item = sight.reach, stored.as_of(ctx.now())
    issue = reach.find(item.issue_id) if item.issue_id else None
    if not is_whole:
        return row_of(item, issue, reach.names)
    texts = reach.readings.find(RequestTextItem, item.text_key)
    return card_of(
        item,
        texts,
        issue,
        names=reach.names,
        find=reach.find,
        readings=reach.readings,
        blobs=ctx.services.store.blobs if is_alone else None,
    )


def settle(
    tx: Transaction,
    opened: Opened,
    after: RequestItem,
    *,
    resolution: str | None,
    said: str,
    note: str | None,
) -> None:
    """Store a decision that does nothing else, and tell the agent that asked; one request at most.

    What still waits for somebody is no decision.
    """
    before = opened.request
    told = deciding.told_of(before, after)
    answer = None if after.is_waiting else answering.answer_of(opened, after.status, said, note)
    if answer is None:
        is_left = not after.is_waiting and answering.is_left(opened, None, None)
        after = after.changed(answer_waits=is_left)
        requests.save(tx, before, after, opened.texts, resolution=resolution)
        record_alone(tx, before, after, told)
        return
    change = begin_change(opened.issue_desk, answering.needs(opened, answer))
    comment = answering.say(change, answer)
    after = after.changed(answer_waits=answering.is_left(opened, change, answer))
    announce(change, before, after, told)
    requests.save(tx, before, after, opened.texts, resolution=resolution)
    answering.write(tx, comment, answer)
    save(tx, change)


def announce(change: IssueChange, before: RequestItem, after: RequestItem, told: RequestSettled) -> None:
    """With a change of the issue: the agent that asked is called if it is still at work there."""
    agent_id = after.requested_by_agent_id
    calls = []
    if agent_id and change.issue.run_at_work_of(agent_id):
        calls = [WakeCall(agent_id, Reason.WATCHING, modes.for_watcher())]
    about = About(after.id, before, after)
    change.announce(
        REQUEST_SETTLED, told, action=after.status.lower(), calls=calls, is_quiet=True, about=about
    )
    change.announced[-1].wakes += _wakes(after)


def record_alone(tx: Transaction, before: RequestItem, after: RequestItem, told: RequestSettled) -> None:
    """Where no issue changes."""
    deciding.tell(tx, before, after, told, wakes=_wakes(after))


def _wakes(after: RequestItem) -> list[Wake]:
    """An agent that is called by no comment is told all the same."""
    return [Wake(agent_id=str(after.requested_by_agent_id))] if after.answer_waits else []
