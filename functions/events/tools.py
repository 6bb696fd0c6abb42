"""The events' tools."""

from forge.context import Context
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.work import events
from functions.events.models import ActorView, Events, EventView, RecentEvents

namespace = Namespace("events", "See what happened in the workspace.")


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY)
def recent(request: RecentEvents, ctx: Context) -> Events:
    """List what happened, newest first: about everything, one kind of thing, or one thing.

    Pass nextCursor as cursor for older events; `truncated` means that more may follow although the page is
    short. Example: {"subjectType": "agent", "kinds": ["AGENT_STATUS_CHANGED"], "limit": 20}
    """
    if request.subject_id and not request.subject_type:
        raise InvalidInput(
            "subjectId needs subjectType.", issues={"subjectType": "Say what kind of thing subjectId is."}
        )
    found = events.list_recent(
        ctx.table,
        ctx.caller,
        subject_type=request.subject_type,
        subject_id=request.subject_id,
        kinds=frozenset(request.kinds or ()),
        before=request.before,
        limit=request.limit,
        cursor=request.cursor,
    )
    names = events.actor_names(ctx.table, ctx.caller.workspace_id, found.items)
    return Events(
        data=[_view(row, names) for row in found.items],
        next_cursor=found.next_cursor,
        truncated=found.is_truncated or None,
    )


def _view(row: events.LogItem, names: dict[str, str | None]) -> EventView:
    actor_id = row.actor_user_id
    actor = ActorView(id=actor_id, name=names.get(actor_id)) if actor_id else None
    return EventView.of(row, actor_id=actor_id, actor=actor)
