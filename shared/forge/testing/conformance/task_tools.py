"""Fixture tools whose answers come later, and the tasks that they begin: in memory, on the real clock."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from forge.clock import system_now
from forge.store.keys import sortable_time
from forge.testing.conformance.content import text, tool_result
from forge.testing.conformance.dialogues import Dialogue, Question, Responses, elicit
from forge.testing.conformance.fixtures import Answer, FixtureTool, Result, Run, member
from forge.testing.conformance.seal import Seal
from forge.wire.modern import takes_tasks
from forge.wire.protocol import MISSING_CAPABILITY, TASKS, Params, ProtocolError

_AN_HOUR_MS = 3_600_000
_FINAL = frozenset({"completed", "failed", "cancelled"})

Ending = Callable[[Responses], Result]
"""The last members of a task, from what its client was asked on the way."""


class NoFixture(Exception):
    """It is no task of these tools."""


@dataclass(slots=True)
class _Task:
    id: str
    since: datetime
    seconds: float
    ending: Ending
    asks: dict[str, Question]
    answers: dict[str, Any] = field(default_factory=dict)
    is_cancelled: bool = False

    def status(self) -> str:
        if self.is_cancelled:
            return "cancelled"
        if self.asks:
            return "input_required"
        is_over = system_now() >= self.since + timedelta(seconds=self.seconds)
        return ("failed" if "error" in self.ending(self.answers) else "completed") if is_over else "working"

    def envelope(self) -> Result:
        told = {"taskId": self.id, "status": self.status(), "ttlMs": _AN_HOUR_MS, "pollIntervalMs": 1000}
        return told | {name: sortable_time(self.since) for name in ("createdAt", "lastUpdatedAt")}

    def whole(self) -> Result:
        told = self.envelope()
        if told["status"] == "input_required":
            return told | {"inputRequests": {key: one.request() for key, one in self.asks.items()}}
        return told | self.ending(self.answers) if told["status"] in ("completed", "failed") else told


class FixtureTasks:
    def __init__(self, seal: Seal) -> None:
        self._seal = seal
        self._tasks: dict[str, _Task] = {}
        self._numbers = count(1)

    def tools(self) -> Iterator[FixtureTool]:
        asks_name = {"user_name": elicit("What is your name?", "name")}
        with_task = Dialogue("test_tool_with_task", (asks_name,), lambda said: dict(said), self._seal)
        yield _tool("greet", lambda params: Answer(_said(f"Hello, {_given(params, 'name')}!")))
        yield _tool("slow_compute", self._compute)
        yield _tool("failing_job", self._late(1, _completed(tool_result(text("It failed."), is_error=True))))
        yield _tool("protocol_error_job", self._late(0, _failed))
        yield _tool("confirm_delete", self._late(0, _completed(_said("Deleted.")), confirm=_CONFIRM))
        yield _tool(
            "multi_input",
            self._late(
                0, _completed(_said("Thank you.")), name=elicit("Your name?", "name"), confirm=_CONFIRM
            ),
        )
        yield _tool(with_task.subject, lambda params: self._composed(with_task, params))

    def methods(self) -> dict[str, Run]:
        def served(serve: Callable[[_Task, Params], Result]) -> Run:
            def run(params: Params) -> Answer:
                task = self._tasks.get(str(params.get("taskId"))) if takes_tasks(params) else None
                if task is None:
                    raise NoFixture
                return Answer(serve(task, params))

            return run

        return {
            "tasks/get": served(lambda task, params: task.whole()),
            "tasks/update": served(_update),
            "tasks/cancel": served(_cancel),
        }

    def _begin(self, seconds: float, ending: Ending, asks: Mapping[str, Question] | None = None) -> Answer:
        task = _Task(f"fixture-{next(self._numbers)}", system_now(), seconds, ending, dict(asks or {}))
        self._tasks[task.id] = task
        status = {"status": "working"} if task.asks else {}
        return Answer({"resultType": "task", **task.envelope(), **status})

    def _compute(self, params: Params) -> Answer:
        done = _said(f"Computed {_given(params, 'label')}.")
        if not takes_tasks(params):
            return Answer(done)
        return self._begin(float(_given(params, "seconds") or 0), _completed(done))

    def _late(self, seconds: float, ending: Ending, **asks: Question) -> Run:
        """Of a tool that can only be a task."""

        def run(params: Params) -> Answer:
            _require_tasks(params)
            return self._begin(seconds, ending, asks)

        return run

    def _composed(self, dialogue: Dialogue, params: Params) -> Answer:
        """It asks first, and then it takes long."""
        _require_tasks(params)
        answer = dialogue.run(params)
        if answer.result.get("resultType") == "input_required":
            return answer
        name = answer.result["user_name"].get("content", {}).get("name")
        return self._begin(0, _completed(_said(f"Hello, {name}!")))


_CONFIRM = elicit("Please confirm", "confirm", field_type="boolean")


def _tool(name: str, run: Run) -> FixtureTool:
    return FixtureTool(name, "Begins a task, or could.", run, {"type": "object", "properties": {}})


def _said(words: str) -> Result:
    return tool_result(text(words))


def _completed(result: Result) -> Ending:
    return lambda responses: {"result": result}


def _failed(responses: Responses) -> Result:
    return {"error": {"code": -32603, "message": "The job could not be carried out."}}


def _given(params: Params, name: str) -> Any:
    return member(params, "arguments").get(name)


def _require_tasks(params: Params) -> None:
    if not takes_tasks(params):
        needed: dict[str, object] = {"requiredCapabilities": {"extensions": {TASKS: {}}}}
        raise ProtocolError(MISSING_CAPABILITY, f"This needs a client with the extension {TASKS}.", needed)


def _update(task: _Task, params: Params) -> Result:
    """Whatever is answered is asked no more; what nobody asked is ignored."""
    for key, response in member(params, "inputResponses").items():
        if task.asks.pop(key, None) is not None:
            task.answers[key] = response
    return {}


def _cancel(task: _Task, params: Params) -> Result:
    task.is_cancelled = task.is_cancelled or task.status() not in _FINAL
    return {}
