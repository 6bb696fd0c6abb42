"""The events' tools."""

from collections.abc import Mapping
from typing import Any

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.work.issues.pages.listing import Pager
from forge.work.issues.pages.sizes import MAX_ANSWER
from forge.work.overviews.feed import feed
from forge.work.overviews.feed.feed import Actors
from forge.work.record.log.rows import LogItem
from functions.events.models import USUAL, ActorView, AgentView, EventView, RecentEvents


def lean(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Without groups in which nothing is; a null by itself says that something was cleared."""
    told = {
        name: {key: one for key, one in value.items() if one not in (None, [])}
        if isinstance(value, dict)
        else value
        for name, value in payload.items()
    }
    return {name: value for name, value in told.items() if value != {}}


QUICKLY_READ = 6_000
"""Characters, which are less than 2,500 tokens: who looks what is new does not want to read for long."""

namespace = Namespace("events", "See what happened in the workspace.")


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=6, because=FILTERED),
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

    Without limit a page has what is quickly read; nextCursor as cursor gives older events. `truncated` means
    that more may follow although the page is short.
    Example: {"subjectType": "agent", "kinds": ["AGENT_STATUS_CHANGED"], "limit": 20}
    """
    if request.subject_id and not request.subject_type:
        raise InvalidInput(
            "subjectId needs subjectType.", issues={"subjectType": "Say what kind of thing subjectId is."}
        )
    is_chosen = "limit" in request.model_fields_set
    most = MAX_ANSWER if is_chosen else QUICKLY_READ
    pager = Pager(Page[EventView], request.fields, usual=USUAL, most=most)
    wanted = feed.WantedEvents(
        request.subject_type, request.subject_id, frozenset(request.kinds or ()), request.before
    )
    found, actors = feed.list_recent(ctx, wanted, request)
    return pager.page(found, lambda row: _view(row, actors))


def _view(row: LogItem, actors: Actors) -> EventView:
    person, agent = actors.person(row), actors.agent(row)
    return EventView.of(
        row,
        actor_id=row.actor_user_id,
        payload=lean(row.payload),
        actor=ActorView(id=row.actor_user_id, name=person and person.name) if row.actor_user_id else None,
        actor_agent=AgentView(
            id=row.actor_agent_id,
            profile_key=agent and agent.profile_key,
            name=agent and agent.name,
        )
        if row.actor_agent_id
        else None,
    )
