"""Fixture tools that ask the client for input, in one round or several. Only the modern era has them."""

from collections.abc import Callable, Iterator, Mapping

from forge.testing.conformance.content import text, tool_result
from forge.testing.conformance.dialogues import ROOTS, Dialogue, Question, Responses, elicit, sample
from forge.testing.conformance.fixtures import (
    Answer,
    FixtureTool,
    Result,
    capabilities_of,
    require_capability,
)
from forge.testing.conformance.seal import Seal
from forge.wire.protocol import Params

_PREFIX = "test_input_required_result_"
_NAME = elicit("What is your name?", "name")
_CONFIRM = elicit("Please confirm", "ok", field_type="boolean")
_EVERYTHING = {"user_name": _NAME, "greeting": sample("Generate a greeting"), "client_roots": ROOTS}

Rounds = tuple[Mapping[str, Question], ...]


def asking_tools(seal: Seal) -> tuple[FixtureTool, ...]:
    return (*_tools_without_state(), *_tools_with_state(seal), _tool_of_capabilities())


def _tools_without_state() -> Iterator[FixtureTool]:
    name: Rounds = ({"user_name": _NAME},)
    yield _tool("test_streaming_elicitation", name, _greet)
    yield _tool(_PREFIX + "elicitation", name, _greet)
    yield _tool(
        _PREFIX + "sampling", ({"capital_question": sample("What is the capital of France?")},), _thank
    )
    yield _tool(_PREFIX + "list_roots", ({"client_roots": ROOTS},), _thank)


def _tools_with_state(seal: Seal) -> Iterator[FixtureTool]:
    confirmation: Rounds = ({"confirm": _CONFIRM},)
    yield _tool(_PREFIX + "request_state", confirmation, _confirm_state, seal)
    yield _tool(_PREFIX + "tampered_state", confirmation, _confirm_state, seal)
    yield _tool(_PREFIX + "multiple_inputs", (_EVERYTHING,), _thank, seal)
    yield _tool(
        _PREFIX + "multi_round",
        (
            {"step1": elicit("Step 1: What is your name?", "name")},
            {"step2": elicit("Step 2: What is your favorite color?", "color")},
        ),
        _thank,
        seal,
    )


def _tool_of_capabilities() -> FixtureTool:
    name = _PREFIX + "capabilities"

    def run(params: Params) -> Answer:
        declared = capabilities_of(params)
        possible = {key: asked for key, asked in _EVERYTHING.items() if asked.capability in declared}
        if not possible:
            require_capability(params, _NAME.capability)
        return Dialogue(name, (possible,), _thank).run(params)

    return FixtureTool(name, "Asks only what the client declared it can answer.", run)


def _tool(
    name: str, rounds: Rounds, finish: Callable[[Responses], Result], seal: Seal | None = None
) -> FixtureTool:
    return FixtureTool(name, "Asks the client for input first.", Dialogue(name, rounds, finish, seal).run)


def _greet(responses: Responses) -> Result:
    name = responses["user_name"].get("content", {}).get("name", "whoever you are")
    return tool_result(text(f"Hello, {name}!"))


def _thank(responses: Responses) -> Result:
    return tool_result(text(f"Thank you for: {', '.join(sorted(responses))}"))


def _confirm_state(responses: Responses) -> Result:
    return tool_result(text("state-ok"))
