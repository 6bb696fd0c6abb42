"""`POST /api/mcp/<tool>` and `POST /api/admin/<tool>`: the tool's input in, its output out."""

from collections.abc import Callable, Mapping
from datetime import datetime
from time import perf_counter

from forge.auth.entrance import KeyCheck
from forge.context import Call, Caller, Door
from forge.contract.terms import Surface
from forge.errors import DomainError, InvalidInput, NotFound
from forge.jsontext import BadJson
from forge.wire.bodies import read_json
from forge.wire.http import Request, Response, error_response, json_response, require_size
from forge.wire.journal import Journal
from forge.wire.switchboard import Switchboard, idempotency_key_of


class RestDoor:
    def __init__(
        self, switchboard: Switchboard, entrance: KeyCheck, journal: Journal, now: Callable[[], datetime]
    ) -> None:
        self._switchboard = switchboard
        self._entrance = entrance
        self._journal = journal
        self._now = now

    def serve(self, request: Request, name: str, surface: Surface, *, rescues: bool = False) -> Response:
        """`rescues`: what is about a deletion, for which all keys of the workspace were stopped."""
        if request.method != "POST":
            return self._not_a_call(request, name, surface)
        started, now = perf_counter(), self._now()
        caller: Caller | None = None
        outcome = "ok"
        try:
            admit = self._entrance.admit_rescuer if rescues else self._entrance.admit
            headers = request.headers
            if "authorization" not in headers and "cookie" in headers:
                headers = self._with_key(headers)
            caller = admit(headers, Door.REST, now)
            tool = self._switchboard.allow(self._switchboard.catalog.get(name, surface=surface), caller)
            arguments = read_body(request)
            key = idempotency_key_of(arguments, request.headers.get("idempotency-key"))
            call = Call(request.id, Door.REST, key)
            return json_response(200, self._switchboard.call(tool, arguments, caller=caller, call=call))
        except DomainError as error:
            outcome = error.code.value
            return error_response(error, request.id)
        finally:
            self._journal.record(
                request.id, name, door="rest", outcome=outcome, now=now, started=started, caller=caller
            )

    def _with_key(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        # Only browsers have cookies, and only where there is single sign-on.
        from forge.wire import cookies

        return cookies.with_key(headers, self._switchboard.services.public_url)

    def _not_a_call(self, request: Request, name: str, surface: Surface) -> Response:
        if surface is not Surface.MCP:
            # What operators can do is told to nobody else.
            self._entrance.admit(request.headers, Door.REST, self._now())
        tool = self._switchboard.catalog.get(name, surface=surface)
        answer = error_response(NotFound(f"Call {tool.name} with POST."), request.id)
        return json_response(405, answer.body, {"allow": "POST"})


def read_body(request: Request) -> Mapping[str, object]:
    require_size(request)
    if not request.body.strip():
        return {}
    try:
        body = read_json(request)
    except BadJson as error:
        raise InvalidInput(f"The body is not valid JSON: {error}.") from None
    if not isinstance(body, dict):
        raise InvalidInput("The body must be a JSON object: the tool's input.")
    return body
