"""The events' tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import Page
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.work.log import feed
from forge.work.log.events import LogItem
from forge.work.paging.listing import Pager
from functions.events.models import ActorView, EventView, RecentEvents

namespace = Namespace("events", "See what happened in the workspace.")


@namespace.tool(
    scopes=[Scope.READ_ISSUES],
    effect=Effect.READ_ONLY,
    costs=Cost(reads=6),
    asks=[
        "what happened lately",
        "activity history",
        "audit log",
        "what is new",
        "who changed something and when",
    ],
)
def recent(request: RecentEvents, ctx: Context) -> Page[EventView]:
    """List what happened, newest first: about everything, one kind of thing, or one thing.

    Pass nextCursor as cursor for older events; `truncated` means that more may follow although the page is
    short. Example: {"subjectType": "agent", "kinds": ["AGENT_STATUS_CHANGED"], "limit": 20}
    """
    if request.subject_id and not request.subject_type:
        raise InvalidInput(
            "subjectId needs subjectType.", issues={"subjectType": "Say what kind of thing subjectId is."}
        )
    pager = Pager(Page[EventView], request.fields)
    wanted = feed.Wanted(
        request.subject_type, request.subject_id, frozenset(request.kinds or ()), request.before
    )
    found, names = feed.list_recent(ctx, wanted, limit=request.limit, cursor=request.cursor)
    return pager.page(found, lambda row: _view(row, names))


def _view(row: LogItem, names: dict[str, str | None]) -> EventView:
    actor_id = row.actor_user_id
    actor = ActorView(id=actor_id, name=names.get(actor_id)) if actor_id else None
    return EventView.of(row, actor_id=actor_id, actor=actor)
