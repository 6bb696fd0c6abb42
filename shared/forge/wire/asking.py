"""One call that is asked back about: the question as a form, and the call again with what was answered.

Nothing is kept between the two. What the client sends back is signed, and says to which call of whom it
belongs, what was answered so far, and until when that counts.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from forge.auth.tokens import Tokens
from forge.contract.catalog_tools import CatalogTool
from forge.contract.questions import CONFIRM
from forge.errors import ASKS, DomainError, InvalidInput
from forge.jsontext import encode
from forge.wire.exchange import CALL, Exchange, WholeResult
from forge.wire.identity import Build
from forge.wire.measures import ASKED
from forge.wire.protocol import INVALID_PARAMS, META_SERVER, REQUEST_STATE, Params, ProtocolError
from forge.wire.switchboard import Arguments, arguments_of

LIFETIME = timedelta(minutes=15)
"""So long somebody may think about it."""
_AUDIENCE = "forge-questions"

Answer = tuple[str, str, str | bool]
"""For an argument, in place of a word, what was answered."""


class Dialogue:
    def __init__(
        self,
        tool: CatalogTool,
        params: Params,
        arguments: Arguments,
        exchange: Exchange,
        *,
        tokens: Tokens,
        build: Build,
    ) -> None:
        self._tool = tool
        self._said = arguments
        self._exchange = exchange
        self._tokens = tokens
        self._build = build
        self._answers: list[Answer] = []
        if REQUEST_STATE in params:
            self._go_on(self._opened(params[REQUEST_STATE]), params.get("inputResponses"))

    @property
    def arguments(self) -> Arguments:
        """With what was answered."""
        if self._tool.name == CALL:
            return {**self._said, "arguments": _filled(arguments_of(self._said), self._answers)}
        return _filled(self._said, self._answers)

    def ask(self, error: DomainError) -> WholeResult | None:
        """The question that would settle a refusal; None where no answer has a place among the arguments."""
        asks: Mapping[str, Any] = (error.details or {})[ASKS]  # type: ignore[assignment]  # made in one place
        argument, issues = str(asks["argument"]), error.issues or {}
        if not self._has_place(argument, asks.get("given")):
            return None
        claims = {
            **self._whose(),
            "answers": self._answers,
            ASKED: {
                "argument": argument,
                "given": asks.get("given", ""),
                "values": [one["value"] for one in asks.get("choices", ())],
                "told": next(iter(issues.values()), ""),
            },
        }
        state = self._tokens.seal(_AUDIENCE, claims, self._exchange.now, LIFETIME)
        self._exchange.outcome = ASKED
        result = {
            "resultType": "input_required",
            "inputRequests": {argument: _form(argument, asks, error)},
            REQUEST_STATE: state,
            "_meta": {META_SERVER: self._build.server_info()},
        }
        return WholeResult(encode(result))

    def _whose(self) -> dict[str, str]:
        """What the signed state belongs to: the same call of the same key."""
        canonical = json.dumps(self._said, sort_keys=True)
        caller = self._exchange.caller
        return {
            "sub": f"{caller.workspace_id} {caller.key_id}",
            "tool": self._tool.name,
            "arguments": sha256(canonical.encode()).hexdigest(),
        }

    def _opened(self, state: object) -> Mapping[str, Any]:
        claims = self._tokens.unseal(_AUDIENCE, state, self._exchange.now) if isinstance(state, str) else None
        if claims is None or not self._whose().items() <= claims.items():
            raise ProtocolError(INVALID_PARAMS, "The requestState is not one that was given for this call.")
        return claims

    def _go_on(self, claims: Mapping[str, Any], responses: object) -> None:
        """What is missing, or comes too late, is asked again."""
        if claims["exp"] <= self._exchange.now.timestamp():
            return
        self._answers = [tuple(answer) for answer in claims["answers"]]
        asked = claims[ASKED]
        response = responses.get(asked["argument"]) if isinstance(responses, dict) else None
        if not isinstance(response, dict):
            return
        content = response.get("content")
        value: Any = content.get(asked["argument"]) if isinstance(content, dict) else None
        if response.get("action") != "accept" or value is False:
            raise _unanswered(asked, is_no=response.get("action") != "cancel")
        if value in (asked["values"] or [True]):
            self._answers.append((asked["argument"], asked["given"], value))

    def _has_place(self, argument: str, given: object) -> bool:
        if argument == CONFIRM:
            return True
        arguments = self.arguments
        said = (arguments_of(arguments) if self._tool.name == CALL else arguments).get(argument)
        return said == given or (isinstance(said, list) and given in said)


def _filled(arguments: Arguments, answers: Iterable[Answer]) -> Arguments:
    made = dict(arguments)
    for argument, given, value in answers:
        said = made.get(argument)
        is_list = isinstance(said, list)
        made[argument] = [value if one == given else one for one in said] if is_list else value  # type: ignore[attr-defined]
    return made


def _form(argument: str, asks: Mapping[str, Any], error: DomainError) -> dict[str, Any]:
    field: dict[str, Any] = {"type": "boolean", "title": "Do it"}
    if choices := asks.get("choices"):
        titled = [{"const": one["value"], "title": one["title"]} for one in choices]
        field = {"type": "string", "title": "Which one", "oneOf": titled}
    message = asks.get("question", error.message)
    schema = {"type": "object", "properties": {argument: field}, "required": [argument]}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def _unanswered(asked: Mapping[str, Any], *, is_no: bool) -> InvalidInput:
    """Nobody may be stuck without a dialog: what would have been answered can be said in the call."""
    argument = asked["argument"]
    who = "Whoever was asked said no: leave it." if is_no else "Nobody answered."
    return InvalidInput(
        f"Nothing was done. {who}",
        hint=f"If whoever you work for wants it, call again with `{argument}`.",
        issues={argument: asked["told"]},
    )
