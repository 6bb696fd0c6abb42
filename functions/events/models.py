"""Events as they are asked for and shown."""

from typing import Annotated

from pydantic import Field

from forge.contract.models import Fields, Model, Time
from forge.work.log.events import EventKind
from forge.work.log.views import EventRow

# A page that nobody asked to be longer is read by a model: ten events cost it some 2,000 tokens.
DEFAULT_LIMIT = 10


class RecentEvents(Model):
    subject_type: Annotated[
        str | None,
        Field(min_length=1, max_length=40, description="Only events about this kind of thing, e.g. issue."),
    ] = None
    subject_id: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=120,
            description="Only about this one, by id or name; needs subjectType.",
        ),
    ] = None
    kinds: Annotated[
        list[EventKind] | None, Field(max_length=32, description="Only these kinds of event.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=200, description="How many events at most.")] = DEFAULT_LIMIT
    before: Annotated[Time | None, Field(description="Only events before this time.")] = None
    cursor: Annotated[str | None, Field(max_length=1000, description="nextCursor of the page before.")] = None
    fields: Fields = None


class ActorView(Model):
    """People have no picture here yet, but clients look for one."""

    id: str
    name: str | None
    image: str | None = None


class EventView(EventRow):
    actor: ActorView | None
