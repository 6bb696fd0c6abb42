"""`GET /api/events/stream`: what happens, as server-sent events, over answers that end.

Gateways and functions answer once, so a follower asks again and again, as EventSource clients do by
themselves: each answer tells what came since the `Last-Event-ID`, or waits a while for something to come.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from forge import deadline
from forge.auth.entrance import KeyCheck, require_scopes
from forge.context import Call, Context, Door
from forge.contract.terms import Scope
from forge.errors import InvalidInput, NotFound
from forge.wire.http import Request, Response, error_response, json_response
from forge.wire.journal import Journal
from forge.wire.paths import STREAM_PATH
from forge.wire.reception import Reception, Visit
from forge.wire.switchboard import Switchboard

if TYPE_CHECKING:
    # On first use: the router starts without pydantic.
    from forge.work.overviews.feed.feed import WantedEvents
    from forge.work.overviews.feed.following import FeedPlace, HeardEvents

OPERATION = "events.stream"
LONGEST_WAIT = 20.0
_PAUSE = 1.0
_FOR_THE_ANSWER = 2.0
_MOST_LOOKS = 40
_LONGEST_SUBJECT = 120
_KNOWN = ("subject", "since", "lastEventId")
_MOST_NAMED = 5

_SOON, _AFTER_SILENCE, _AFTER_LONG_SILENCE = 300, 1_000, 15_000
"""Milliseconds until a follower asks again."""
_LONG_SILENCE = 3
_HEADERS = {"content-type": "text/event-stream", "cache-control": "no-store"}


class Asked(NamedTuple):
    subject_type: str | None
    subject_id: str | None
    last_event_id: str | None
    since: str | None


class StreamDoor:
    def __init__(
        self, switchboard: Switchboard, entrance: KeyCheck, journal: Journal, wait: Callable[[float], None]
    ) -> None:
        self._switchboard = switchboard
        self._entrance = entrance
        self._reception = Reception(switchboard, entrance, journal)
        self._wait = wait

    def serve(self, request: Request) -> Response:
        if request.method != "GET":
            answer = error_response(NotFound(f"Follow {STREAM_PATH} with GET."), request.id)
            return json_response(405, answer.body, {"allow": "GET"})
        return self._reception.answered(request, OPERATION, self._followed)

    def _followed(self, visit: Visit) -> Response:
        request = visit.request
        require_scopes(visit.caller, (Scope.SUBSCRIBE_EVENTS.value,), OPERATION)
        context = self._switchboard.context(visit.caller, Call(request.id, Door.REST), OPERATION)
        give_place_back = self._entrance.follow(request.headers, context.now(), seconds=deadline.CALL_SECONDS)
        try:
            text, visit.waited = self._follow(context, _asked(request.query, request.headers))
        finally:
            give_place_back()
        return Response(200, text, _HEADERS)

    def _follow(self, context: Context, asked: Asked) -> tuple[str, float]:
        from forge.work.overviews.feed import feed, following

        given = feed.WantedEvents(asked.subject_type, asked.subject_id, frozenset(), None)
        wanted = feed.named(context, given, field="subject")
        feed.require_party(context, wanted, field="subject")
        places = following.Places(context.caller.workspace_id, wanted)
        if asked.last_event_id:
            place = places.read(asked.last_event_id)
        else:
            feed.require_subject(context, wanted, field="subject")
            place = following.FeedPlace(_moment(asked.since) if asked.since else context.now())
        began = perf_counter()
        heard = self._listen(context, wanted, place)
        return _written(heard, place, places.write), perf_counter() - began

    def _listen(self, context: Context, wanted: "WantedEvents", place: "FeedPlace") -> "HeardEvents":
        """Look until there is something to tell, or the answer has to end."""
        from forge.work.overviews.feed import following

        patience = min(LONGEST_WAIT, deadline.seconds_left() - _FOR_THE_ANSWER)
        for _ in range(_MOST_LOOKS):
            heard = following.look(context, wanted, place)
            if heard.news or patience <= 0:
                return heard
            is_getting_on = heard.is_cut and heard.after != place
            place = heard.after
            if not is_getting_on:
                patience -= _PAUSE
                self._wait(_PAUSE)
        return heard


def _asked(query: Mapping[str, str], headers: Mapping[str, str]) -> Asked:
    if unknown := sorted(query.keys() - _KNOWN):
        raise InvalidInput(
            "The event stream does not know all of these names.",
            issues={
                name[:_LONGEST_SUBJECT]: f"Known are {', '.join(_KNOWN)}." for name in unknown[:_MOST_NAMED]
            },
        )
    subject = query.get("subject") or None
    if subject and len(subject) > _LONGEST_SUBJECT:
        raise InvalidInput("No subject is that long.", issues={"subject": "A type, or `type:id`."})
    kind, _, subject_id = (subject or "").partition(":")
    last = headers.get("last-event-id") or query.get("lastEventId") or None
    return Asked(kind or None, subject_id or None, last, query.get("since") or None)


def _moment(text: str) -> datetime:
    unclear = InvalidInput("since is no time.", issues={"since": "As 2026-07-28T12:00:00Z, with its zone."})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise unclear from None
    if moment.tzinfo is None:
        raise unclear
    return moment


def _written(heard: "HeardEvents", before: "FeedPlace", write: Callable[["FeedPlace"], str]) -> str:
    """The answer. Each event has an id of its own, so that one that is cut off goes on at the right place."""
    parts = []
    told = before.told
    for one in heard.news:
        told = (*told, one.mark)
        place = write(before._replace(told=told, silences=0))
        parts.append(f"id: {place}\nevent: {one.event}\ndata: {one.data}\n\n")
    after = heard.after if heard.news else heard.after._replace(silences=heard.after.silences + 1)
    pause = _AFTER_LONG_SILENCE if after.silences >= _LONG_SILENCE else _AFTER_SILENCE
    # Without data it is no event, but clients remember its id.
    return f"retry: {_SOON if parts else pause}\n\n{''.join(parts)}id: {write(after)}\n\n"
