"""`GET /api/mcp/prompts` and `GET /api/mcp/resources`: what is offered besides tools, without MCP.

With `?name=` the prompt of that name, filled in with the other parameters; with `?uri=` the resource there.
"""

from time import perf_counter

from forge.auth.entrance import KeyCheck
from forge.context import Call, Caller, Door
from forge.errors import DomainError
from forge.wire.http import Request, Response, error_response, json_response
from forge.wire.journal import Journal
from forge.wire.offering import Offered
from forge.wire.switchboard import Switchboard

PROMPTS = "prompts"


class OffersDoor:
    def __init__(self, switchboard: Switchboard, entrance: KeyCheck, journal: Journal) -> None:
        self._switchboard = switchboard
        self._entrance = entrance
        self._journal = journal

    def serve(self, request: Request) -> Response:
        started, now = perf_counter(), self._switchboard.now()
        caller: Caller | None = None
        outcome, kind = "ok", request.path.rpartition("/")[2]
        try:
            caller = self._entrance.admit(request.headers, Door.REST, now)
            offered = Offered(self._switchboard, caller, Call(request.id, Door.REST))
            return json_response(200, f"{{{_members(offered, kind, dict(request.query))}}}")
        except DomainError as error:
            outcome = error.code.value
            return error_response(error, request.id)
        finally:
            self._journal.record(
                request.id, kind, door="rest", outcome=outcome, now=now, started=started, caller=caller
            )


def _members(offered: Offered, kind: str, query: dict[str, str]) -> str:
    if kind == PROMPTS:
        if "name" not in query:
            return offered.prompts()
        return offered.prompt({"name": query.pop("name")}, query)
    if "uri" in query:
        return offered.read(query)
    return f"{offered.resources()},{offered.templates()}"
