"""`GET /api/mcp/prompts` and `GET /api/mcp/resources`: what is offered besides tools, without MCP.

With `?name=` the prompt of that name, filled in with the other parameters; with `?uri=` the resource there.
"""

from forge.auth.entrance import KeyCheck
from forge.context import Call, Door
from forge.wire.http import Request, Response, json_response
from forge.wire.journal import Journal
from forge.wire.offering import Offered
from forge.wire.reception import Reception, Visit
from forge.wire.switchboard import Switchboard

PROMPTS = "prompts"


class OffersDoor:
    def __init__(self, switchboard: Switchboard, entrance: KeyCheck, journal: Journal) -> None:
        self._switchboard = switchboard
        self._reception = Reception(switchboard, entrance, journal)

    def serve(self, request: Request) -> Response:
        return self._reception.answered(request, _kind_of(request), self._offer)

    def _offer(self, visit: Visit) -> Response:
        request = visit.request
        offered = Offered(self._switchboard, visit.caller, Call(request.id, Door.REST))
        return json_response(200, f"{{{_members(offered, _kind_of(request), dict(request.query))}}}")


def _kind_of(request: Request) -> str:
    return request.path.rpartition("/")[2]


def _members(offered: Offered, kind: str, query: dict[str, str]) -> str:
    if kind == PROMPTS:
        if "name" not in query:
            return offered.prompts()
        return offered.prompt({"name": query.pop("name")}, query)
    if "uri" in query:
        return offered.read(query)
    return f"{offered.resources()},{offered.templates()}"
