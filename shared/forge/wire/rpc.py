"""`POST /api/mcp/rpc`: both MCP eras through one door, stateless."""

from collections.abc import Callable
from time import perf_counter

from forge.auth.gate import Gate
from forge.context import Door
from forge.errors import DomainError
from forge.jsontext import BadJson, decode, encode
from forge.wire import modern
from forge.wire.batches import MAX_BATCH, run_batch
from forge.wire.http import Request, Response, error_headers, json_response, require_size
from forge.wire.journal import Journal
from forge.wire.methods import Era, Eras, Exchange, WholeResult
from forge.wire.protocol import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Message,
    ProtocolError,
    error_body,
    id_of,
    is_response,
    legacy_status,
    modern_status,
    read_message,
)

_ACCEPTED = Response(202, "", {})


class RpcDoor:
    def __init__(self, eras: Eras, gate: Gate, journal: Journal) -> None:
        self._gate = gate
        self._journal = journal
        self._modern, self._legacy = eras

    def serve(self, request: Request) -> Response:
        if request.method != "POST":
            error = ProtocolError(INVALID_REQUEST, "Send JSON-RPC messages with POST; there is no stream.")
            return json_response(405, error_body(None, error), {"allow": "POST"})
        started = perf_counter()
        try:
            caller = self._gate.admit(request.headers, Door.RPC)
            raw = _read_body(request)
        except DomainError as error:
            self._journal.record(request.id, Door.RPC, "request", error.code, started, None)
            return refusal(error, request.id)
        except ProtocolError as error:
            self._journal.record(request.id, Door.RPC, "request", "protocol_error", started, caller)
            return json_response(400, error_body(None, error))
        exchange = Exchange(request, caller)
        if modern.is_modern(request.headers, raw):
            exchange.idempotency_key = request.headers.get("idempotency-key")
            return self._answer(raw, exchange, self._modern)
        if isinstance(raw, list):
            return self._answer_batch(raw, exchange)
        exchange.idempotency_key = request.headers.get("idempotency-key")
        return self._answer(raw, exchange, self._legacy)

    def _answer(self, raw: object, exchange: Exchange, era: Era) -> Response:
        """Serve one message, write its log line, and give the HTTP answer."""
        started = perf_counter()
        try:
            if is_response(raw):
                return _ACCEPTED
            message = read_message(raw)
            exchange.operation = message.method
            if message.is_notification:
                return _ACCEPTED
            result = self._result(message, exchange, era)
            return _success(encode(message.id), result, era)
        except ProtocolError as error:
            exchange.outcome = "protocol_error"
            status = modern_status if era is self._modern else legacy_status
            return json_response(status(error.code), error_body(id_of(raw), error))
        finally:
            self._journal.record(
                exchange.request.id,
                Door.RPC,
                exchange.operation,
                exchange.outcome,
                started,
                exchange.caller,
            )

    def _result(self, message: Message, exchange: Exchange, era: Era) -> str | WholeResult:
        if era is self._modern:
            modern.check(exchange.request.headers, message)
        method = era.methods.get(message.method)
        if method is None:
            raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {message.method[:80]!r} here.")
        return method(message.params, exchange)

    def _answer_batch(self, raw: list[object], exchange: Exchange) -> Response:
        if not 1 <= len(raw) <= MAX_BATCH:
            error = ProtocolError(INVALID_REQUEST, f"A batch has 1 to {MAX_BATCH} messages; split it.")
            return json_response(400, error_body(None, error))

        def answer_one(item: object) -> Callable[[], str]:
            own = Exchange(exchange.request, exchange.caller)
            return lambda: self._answer(item, own, self._legacy).body

        bodies = run_batch([(id_of(item), answer_one(item)) for item in raw], exchange.request.id)
        if not bodies:
            return _ACCEPTED
        return json_response(200, f"[{','.join(bodies)}]")


def refusal(error: DomainError, request_id: str) -> Response:
    """A failure of the whole request: the key, the rate, the size, or our own."""
    wrapped = ProtocolError(error.wire.rpc_code, _sentence(error), error.as_object(request_id))
    return json_response(error.wire.http_status, error_body(None, wrapped), error_headers(error))


def _sentence(error: DomainError) -> str:
    # Clients show only the message, so the hint has to be in it.
    return f"{error.message} {error.hint}" if error.hint else error.message


def _read_body(request: Request) -> object:
    require_size(request)
    try:
        return decode(request.body)
    except BadJson as error:
        raise ProtocolError(PARSE_ERROR, f"The body is not valid JSON: {error}.") from None


def _success(request_id: str, result: str | WholeResult, era: Era) -> Response:
    if isinstance(result, WholeResult):
        body = f'{{"jsonrpc":"2.0","id":{request_id},"result":{result.text}}}'
        return (
            _event_stream([*result.notifications, body]) if result.notifications else json_response(200, body)
        )
    return json_response(
        200, f'{{"jsonrpc":"2.0","id":{request_id},"result":{{{result}{era.common_members}}}}}'
    )


def _event_stream(messages: list[str]) -> Response:
    """The whole stream in one body: API Gateway buffers anyway, and clients read it all the same."""
    body = "".join(f"event: message\ndata: {message}\n\n" for message in messages)
    return Response(200, body, {"content-type": "text/event-stream"})
