"""Calls that need something of the client first: they ask for it, and the client repeats them with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from forge.testing.conformance.fixtures import Answer, Result, member, require_capability
from forge.testing.conformance.seal import Seal
from forge.wire.protocol import INVALID_PARAMS, Params, ProtocolError

Responses = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    method: str
    capability: str
    params: Mapping[str, Any]
    answered_by: str
    """The member without which a response is no answer to this."""

    def request(self) -> Result:
        return {"method": self.method, "params": self.params}

    def require_answer(self, response: object) -> None:
        if not isinstance(response, dict) or self.answered_by not in response:
            raise ProtocolError(INVALID_PARAMS, f"The response to {self.method} needs {self.answered_by}.")


def elicit(message: str, field: str, *, field_type: str = "string") -> Question:
    schema = {"type": "object", "properties": {field: {"type": field_type}}, "required": [field]}
    params = {"message": message, "requestedSchema": schema}
    return Question("elicitation/create", "elicitation", params, answered_by="action")


def sample(prompt: str) -> Question:
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    params = {"messages": [message], "maxTokens": 100}
    return Question("sampling/createMessage", "sampling", params, answered_by="content")


ROOTS = Question("roots/list", "roots", {}, answered_by="roots")


@dataclass(frozen=True, slots=True)
class Dialogue:
    subject: str
    """The tool or prompt that asks."""
    rounds: tuple[Mapping[str, Question], ...]
    finish: Callable[[Responses], Result]
    """From the responses of the last round to the result."""
    seal: Seal | None = None
    """Without it no state travels, so there can be only one round."""

    def run(self, params: Params) -> Answer:
        step = self._step(params)
        if step is None:
            return self._ask(0, params)
        responses = member(params, "inputResponses")
        questions = self.rounds[step]
        if not questions.keys() <= responses.keys():
            return self._ask(step, params)
        for key, question in questions.items():
            question.require_answer(responses[key])
        if step + 1 < len(self.rounds):
            return self._ask(step + 1, params)
        return Answer(self.finish(responses))

    def _step(self, params: Params) -> int | None:
        """Which round the client answers; none when it has yet to be asked."""
        if self.seal is None:
            return 0
        return self.seal.open(self.subject, params["requestState"]) if "requestState" in params else None

    def _ask(self, step: int, params: Params) -> Answer:
        questions = self.rounds[step]
        for question in questions.values():
            require_capability(params, question.capability)
        requests = {key: question.request() for key, question in questions.items()}
        state = {} if self.seal is None else {"requestState": self.seal.close(self.subject, step)}
        return Answer({"resultType": "input_required", "inputRequests": requests, **state})
