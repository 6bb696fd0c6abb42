"""True of every prompt, resource and completion, by walking what is declared."""

import json
import re
from functools import cache
from typing import NamedTuple

import pytest

from forge.contract.catalog import load_catalog
from forge.contract.compiler import compile_offers
from forge.contract.offers import Offers, load_offers
from forge.contract.profiles import Selection
from forge.contract.prompts import Prompt
from forge.contract.terms import Scope
from infra.registry import find_offerings

OFFERS = Offers.from_document(compile_offers(find_offerings().values()))
PROMPTS = pytest.mark.parametrize("prompt", OFFERS.prompts.values(), ids=OFFERS.prompts.keys())
MAX_PROMPT = 4_000

_CALL = re.compile(r"`([A-Za-z]\w*(?:\.\w+)*)\s+(\{.*?\})`", re.DOTALL)
_NAMES = re.compile(r"\b(?:[a-z]\w*\.)+[a-zA-Z]\w*\b|\b[a-z]+(?:_[a-z]+)+\b")
_DOTTED = re.compile(r"`([a-z]\w*(?:\.[a-zA-Z]+)+|pipeline_[a-z_]+)\b")


@cache
def default_list() -> dict[str, dict[str, object]]:
    listed = json.loads(load_catalog().listing(Selection(canonical_names=True), frozenset(Scope)))
    return {entry["name"]: entry["inputSchema"]["properties"] for entry in listed}


class Mentioned(NamedTuple):
    """A call that stands in a text."""

    tool: str
    arguments: dict[str, object]
    is_inner: bool = False
    """Whether it is one that catalog.call makes, which takes every field."""


def calls_in(text: str) -> list[Mentioned]:
    found = []
    for name, written in _CALL.findall(text):
        if load_catalog().find(name) is None:
            continue
        arguments = json.loads(" ".join(written.split()))
        found.append(Mentioned(name, arguments))
        if name == "catalog.call":
            found.append(Mentioned(arguments["name"], arguments["arguments"], is_inner=True))
    return found


def test_what_ships_is_what_is_declared() -> None:
    shipped = load_offers()

    assert shipped.prompts == OFFERS.prompts
    assert shipped.resources == OFFERS.resources
    assert shipped.completions == OFFERS.completions


@PROMPTS
def test_a_prompt_names_only_tools_and_arguments_that_a_client_with_the_default_list_has(
    prompt: Prompt,
) -> None:
    calls = calls_in(prompt.text)

    assert calls
    assert [name for name in _DOTTED.findall(prompt.text) if load_catalog().find(name) is None] == []
    for call in calls:
        every = load_catalog().get(call.tool).input_schema["properties"]
        listed = default_list().get(call.tool)
        assert listed is not None or call.is_inner or "catalog.call" in prompt.text, call.tool
        assert set(call.arguments) <= set(every if call.is_inner or listed is None else listed), call.tool


@PROMPTS
def test_a_prompt_has_its_required_arguments_first_and_uses_each(prompt: Prompt) -> None:
    required = [one.required for one in prompt.arguments]

    assert required == sorted(required, reverse=True)
    assert all(f"{{{one.name}}}" in prompt.text for one in prompt.arguments)
    assert len(prompt.text) <= MAX_PROMPT


@PROMPTS
def test_a_key_that_sees_a_prompt_may_call_what_it_names(prompt: Prompt) -> None:
    called = [load_catalog().find(name) for name in _NAMES.findall(prompt.text)]
    needed = {scope for tool in called if tool is not None for scope in tool.scopes}

    assert needed - {"READ_USERS", "READ_PROJECTS"} <= set(prompt.scopes)
