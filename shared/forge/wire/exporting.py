"""`POST /api/admin/export`: everything of a workspace, as lines of JSON, in the answer where it fits.

The tool only orders it. This door waits for the worker as long as a call may take, and answers with the lines
themselves; where that takes longer, or is too much for an answer, with the order, which exports.get is asked
about.
"""

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from forge import deadline
from forge.auth.entrance import KeyCheck
from forge.context import Call, Caller, Door
from forge.contract.terms import Surface
from forge.errors import Unavailable
from forge.jsontext import decode, encode, quote
from forge.wire.http import MAX_BODY_BYTES, Request, Response, json_response
from forge.wire.journal import Journal
from forge.wire.reception import Reception, Visit
from forge.wire.rest import read_body
from forge.wire.switchboard import Switchboard, idempotency_key_of

if TYPE_CHECKING:
    # On first use: the router starts without pydantic.
    from forge.work.overviews.exports.orders import ExportItem

TOOL = "export"
AT_ONCE = "respond-async"
"""In the header `Prefer`, as RFC 7240 has it, of whoever does not want to wait."""
LONGEST_WAIT = 20.0
MAX_ANSWER_BYTES = MAX_BODY_BYTES
_MAX_LAMBDA_BYTES = 5_500_000
"""Lambda ends at 6 MB, and counts the lines with every quotation mark in them escaped."""
_PAUSE = 0.5
_FOR_THE_ANSWER = 3.0
_MOST_LOOKS = 50
_HEADERS = {"content-type": "application/x-ndjson", "cache-control": "no-store"}


class ExportDoor:
    def __init__(
        self, switchboard: Switchboard, entrance: KeyCheck, journal: Journal, wait: Callable[[float], None]
    ) -> None:
        self._switchboard = switchboard
        self._reception = Reception(switchboard, entrance, journal)
        self._wait = wait

    def serve(self, request: Request) -> Response:
        """Of a POST; whatever else comes is refused as it is for every tool."""
        return self._reception.answered(request, TOOL, self._ordered)

    def _ordered(self, visit: Visit) -> Response:
        ordered = self._order(visit.request, visit.caller)
        if AT_ONCE in visit.request.headers.get("prefer", ""):
            return json_response(202, encode(ordered), {"preference-applied": AT_ONCE})
        began = perf_counter()
        try:
            return self._answer(visit.caller, ordered)
        finally:
            visit.waited = perf_counter() - began

    def _order(self, request: Request, caller: Caller) -> dict[str, Any]:
        """With all checks of a call; what the tool says."""
        tool = self._switchboard.allow(self._switchboard.catalog.get(TOOL, surface=Surface.ADMIN), caller)
        arguments = read_body(request)
        key = idempotency_key_of(arguments, request.headers.get("idempotency-key"))
        call = Call(request.id, Door.REST, key)
        said: dict[str, Any] = decode(self._switchboard.call(tool, arguments, caller=caller, call=call))
        return said

    def _answer(self, caller: Caller, ordered: dict[str, Any]) -> Response:
        from forge.work.overviews.exports.orders import ExportStatus

        order = self._awaited(caller.workspace_id, ordered["exportId"])
        if order is None:
            return json_response(202, encode(ordered))
        if order.status is ExportStatus.FAILED:
            raise Unavailable(f"The export failed: {order.error}", details={"exportId": order.id})
        lines = self._lines(order) if order.status is ExportStatus.DONE else None
        if lines is None:
            return json_response(202, encode({**ordered, "status": order.status}))
        return Response(200, lines, _HEADERS)

    def _awaited(self, workspace_id: str, export_id: str) -> "ExportItem | None":
        """The order when it is over, or when the answer has to end."""
        from forge.work.overviews.exports import orders

        table = self._switchboard.services.store.table
        patience = min(LONGEST_WAIT, deadline.seconds_left() - _FOR_THE_ANSWER)
        for _ in range(_MOST_LOOKS):
            order = orders.find(table, workspace_id, export_id)
            if order is None or order.is_over or patience <= 0:
                break
            patience -= _PAUSE
            self._wait(_PAUSE)
        return order

    def _lines(self, order: "ExportItem") -> str | None:
        """What was written, where an answer can hold it."""
        if order.bytes is None or order.bytes > MAX_ANSWER_BYTES:
            return None
        blobs = self._switchboard.services.store.blobs
        lines = "".join(blobs.get_text(part) for part in order.blobs)
        return lines if len(quote(lines).encode()) <= _MAX_LAMBDA_BYTES else None
