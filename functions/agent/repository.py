"""What an agent asked, and what was decided about it."""

from forge.context import Context
from forge.work.issues.desks import look_at, settings_key
from forge.work.issues.pages.sights import is_narrowed, require_unnarrowed
from forge.work.plans.requests.requests import (
    RequestItem,
    RequestTextItem,
    find_whole,
    keys_of_request,
    no_such_request,
)


def open_answer(ctx: Context, request_id: str) -> tuple[RequestItem, RequestTextItem]:
    """A request of the calling agent; one request, for a narrowed key two."""
    caller = ctx.caller
    known = ctx.table.read(keys_of_request(caller.workspace_id, request_id))
    found = find_whole(known, caller.workspace_id, request_id)
    if found is None or found[0].requested_by_agent_id != caller.agent_id:
        raise no_such_request(request_id)
    issue_id = found[0].issue_id
    if is_narrowed(caller):
        reach = look_at(ctx, [issue_id] if issue_id else [], also=[settings_key(ctx)], readings=known)
        if issue_id is None or reach.find(issue_id) is None:
            require_unnarrowed(caller, "request")
    return found
