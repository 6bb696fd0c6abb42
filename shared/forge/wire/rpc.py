"""`POST /api/mcp/rpc`: both MCP eras through one door, stateless."""

from collections.abc import Callable
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING

from forge.auth.entrance import KeyCheck
from forge.context import Caller, Door
from forge.errors import DomainError
from forge.jsontext import BadJson, encode
from forge.wire import modern
from forge.wire.batches import MAX_BATCH, run_batch
from forge.wire.bodies import read_json
from forge.wire.exchange import Exchange, WholeResult
from forge.wire.http import JSON_HEADERS, Request, Response, error_headers, json_response, require_size
from forge.wire.journal import Journal
from forge.wire.methods import Era, Eras
from forge.wire.protocol import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    TASKS_GET,
    Params,
    ProtocolError,
    RequestId,
    error_body,
    id_of,
    is_response,
    legacy_status,
    modern_status,
    read_message,
)

if TYPE_CHECKING:
    from forge.wire.polling import Glanced

_RPC = Door.RPC  # see forge.wire.execution
_ACCEPTED = Response(202, "", {})


class RpcDoor:
    def __init__(self, eras: Eras, entrance: KeyCheck, journal: Journal, now: Callable[[], datetime]) -> None:
        self._modern, self._legacy = eras
        self._entrance = entrance
        self._journal = journal
        self._now = now

    def serve(self, request: Request) -> Response:
        if request.method != "POST":
            error = ProtocolError(INVALID_REQUEST, "Send JSON-RPC messages with POST; there is no stream.")
            return json_response(405, error_body(None, error), {"allow": "POST"})
        started, now = perf_counter(), self._now()
        headers = request.headers
        caller: Caller | None = None
        try:
            glanced = None
            if headers.get("mcp-method") == TASKS_GET:
                glanced = self._glance(request, now)
            caller = glanced.caller if glanced else self._entrance.admit(headers, _RPC, now)
            raw = _read_body(request)
            era = self._modern if modern.is_modern(headers, raw) else self._legacy
            if glanced and (era is self._legacy or not modern.asks_for(TASKS_GET, raw)):
                # It is something else, which counts like any other call.
                glanced, caller = None, self._entrance.admit(headers, _RPC, now)
            batch = _batch(raw) if isinstance(raw, list) and era is self._legacy else None
        except (DomainError, ProtocolError) as error:
            self._journal.record(
                request.id,
                "request",
                door="rpc",
                outcome=error.code if isinstance(error, DomainError) else "protocol_error",
                now=now,
                started=started,
                caller=caller,
            )
            return refusal(error, request.id)
        if batch is not None:
            return self._answer_batch(batch, request, caller, now)
        exchange = Exchange(request, caller, now, headers.get("idempotency-key"))
        exchange.glanced = glanced
        return self._answer(raw, exchange, era, started)

    def _glance(self, request: Request, now: datetime) -> "Glanced | None":
        from forge.wire.polling import glance  # few poll, and the router starts without it

        return glance(request.headers, self._entrance, now)

    def _answer(self, raw: object, exchange: Exchange, era: Era, started: float) -> Response:
        """Serve one message, write its log line, and give the HTTP answer."""
        try:
            method, params, message_id = read_message(raw)
            exchange.operation = method
            if message_id is None:
                exchange.outcome = "ok"
                return _ACCEPTED
            result = self._result(method, params, exchange, era)
            exchange.outcome = exchange.outcome or "ok"
            return _success(message_id, result, era)
        except ProtocolError as error:
            exchange.outcome = "protocol_error"
            if is_response(raw):
                return _ACCEPTED
            status = modern_status if era is self._modern else legacy_status
            return json_response(status(error.code), error_body(id_of(raw), error))
        finally:
            self._journal.record(
                exchange.request.id,
                exchange.operation,
                door="rpc",
                outcome=exchange.outcome or "internal",
                now=exchange.now,
                started=started,
                caller=exchange.caller,
            )

    def _result(self, method: str, params: Params, exchange: Exchange, era: Era) -> str | WholeResult:
        if era is self._modern:
            modern.check(exchange.request.headers, method, params)
            exchange.takes_tasks = modern.takes_tasks(params)
        serve = era.methods.get(method)
        if serve is None:
            raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {method[:80]!r} here.")
        return serve(params, exchange)

    def _answer_batch(self, raw: list[object], request: Request, caller: Caller, now: datetime) -> Response:
        key = request.headers.get("idempotency-key")

        def answer_one(place: int, item: object) -> Callable[[], str]:
            own = Exchange(request, caller, now, key, place)
            return lambda: self._shielded_answer(item, own)

        items = [(id_of(item), answer_one(place, item)) for place, item in enumerate(raw)]
        bodies = run_batch(items, request.id)
        if not bodies:
            return _ACCEPTED
        return json_response(200, f"[{','.join(bodies)}]")

    def _shielded_answer(self, item: object, exchange: Exchange) -> str:
        """The answer to one message of a batch, which must not spoil those of the others."""
        request_id = exchange.request.id
        try:
            started = perf_counter()
            return self._journal.shielded(
                request_id, self._answer, item, exchange, self._legacy, started
            ).body
        except DomainError as error:
            return error_body(id_of(item), _as_protocol_error(error, request_id))


def refusal(error: DomainError | ProtocolError, request_id: str) -> Response:
    """A failure of the whole request: the key, the rate, the size, the JSON, or our own."""
    if isinstance(error, ProtocolError):
        return json_response(400, error_body(None, error))
    wrapped = _as_protocol_error(error, request_id)
    return json_response(error.wire.http_status, error_body(None, wrapped), error_headers(error))


def _as_protocol_error(error: DomainError, request_id: str) -> ProtocolError:
    # Clients show only the message, so the hint has to be in it.
    sentence = f"{error.message} {error.hint}" if error.hint else error.message
    return ProtocolError(error.wire.rpc_code, sentence, error.as_object(request_id))


def _read_body(request: Request) -> object:
    require_size(request)
    try:
        return read_json(request)
    except BadJson as error:
        raise ProtocolError(PARSE_ERROR, f"The body is not valid JSON: {error}.") from None


def _batch(raw: list[object]) -> list[object]:
    if not raw:
        raise ProtocolError(INVALID_REQUEST, "This batch is empty: send a message, or leave it out.")
    if len(raw) > MAX_BATCH:
        raise ProtocolError(INVALID_REQUEST, f"A batch has at most {MAX_BATCH} messages; split it.")
    return raw


def _success(message_id: RequestId, result: str | WholeResult, era: Era) -> Response:
    shown_id = str(message_id) if type(message_id) is int else encode(message_id)
    if not isinstance(result, WholeResult):
        body = f'{{"jsonrpc":"2.0","id":{shown_id},"result":{{{result}{era.common_members}}}}}'
        return Response(200, body, JSON_HEADERS)
    body = f'{{"jsonrpc":"2.0","id":{shown_id},"result":{result.text}}}'
    if result.notifications:
        return _event_stream([*result.notifications, body])
    return json_response(200, body)


def _event_stream(messages: list[str]) -> Response:
    """The whole stream in one body: API Gateway buffers anyway, and clients read it all the same."""
    body = "".join(f"event: message\ndata: {message}\n\n" for message in messages)
    return Response(200, body, {"content-type": "text/event-stream"})
