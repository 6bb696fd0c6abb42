"""Fixture prompts, and completion of their arguments."""

from collections.abc import Iterable

from forge.testing.conformance.content import IMAGE, embedded, prompt_result, text
from forge.testing.conformance.dialogues import Dialogue, Responses, elicit
from forge.testing.conformance.fixtures import (
    Answer,
    FixturePrompt,
    Result,
    Run,
    always,
    member,
)
from forge.wire.protocol import INVALID_PARAMS, Params, ProtocolError

_SUGGESTIONS = ("test", "testing", "tests")


def _with_arguments(params: Params) -> Answer:
    given = member(params, "arguments")
    return Answer(
        prompt_result(text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"))
    )


def _with_embedded_resource(params: Params) -> Answer:
    uri = member(params, "arguments")["resourceUri"]
    return Answer(
        prompt_result(
            embedded(uri, "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        )
    )


PROMPTS = (
    FixturePrompt(
        "test_simple_prompt",
        "A prompt without arguments.",
        always(prompt_result(text("This is a simple prompt for testing."))),
    ),
    FixturePrompt(
        "test_prompt_with_arguments",
        "A prompt that repeats its arguments.",
        _with_arguments,
        ("arg1", "arg2"),
    ),
    FixturePrompt(
        "test_prompt_with_embedded_resource",
        "A prompt that embeds a resource.",
        _with_embedded_resource,
        ("resourceUri",),
    ),
    FixturePrompt(
        "test_prompt_with_image",
        "A prompt that shows an image.",
        always(prompt_result(IMAGE, text("Please analyze the image above."))),
    ),
)


def _in_context(responses: Responses) -> Result:
    context = responses["user_context"].get("content", {}).get("context", "none")
    return prompt_result(text(f"Work in this context: {context}"))


_ASKING_NAME = "test_input_required_result_prompt"
MODERN_PROMPTS = (
    *PROMPTS,
    FixturePrompt(
        _ASKING_NAME,
        "A prompt that asks for its context first.",
        Dialogue(
            _ASKING_NAME,
            ({"user_context": elicit("What context should the prompt use?", "context")},),
            _in_context,
        ).run,
    ),
)


def listing(prompts: Iterable[FixturePrompt]) -> Result:
    return {"prompts": [prompt.entry() for prompt in prompts]}


def getter(prompts: Iterable[FixturePrompt]) -> Run:
    by_name = {prompt.name: prompt for prompt in prompts}

    def get(params: Params) -> Answer:
        prompt = by_name.get(str(params.get("name")))
        if prompt is None:
            raise ProtocolError(INVALID_PARAMS, "There is no such prompt.")
        given = member(params, "arguments")
        missing = [name for name in prompt.arguments if not isinstance(given.get(name), str)]
        if missing:
            raise ProtocolError(INVALID_PARAMS, f"The prompt needs the arguments: {', '.join(missing)}.")
        return prompt.run(params)

    return get


def complete(params: Params) -> Answer:
    typed = str(member(params, "argument").get("value", ""))
    values = [word for word in _SUGGESTIONS if word.startswith(typed)]
    return Answer({"completion": {"values": values, "total": len(values), "hasMore": False}})
