"""What every tool answers with: times in one form, only what OpenAPI says, and pages that go on."""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from infra.openapi import openapi_document
from infra.registry import find_namespaces
from tests.contract.calls import SAMPLES, every_sample, samples_of
from tests.contract.crowds import BOUNDED, answers_page, mistakes_of
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_TOOLS, Sample


def strings_in(answer: Any) -> Iterator[str]:
    if isinstance(answer, str):
        yield answer
    for child in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
        yield from strings_in(child)


def is_time(text: str) -> bool:
    """A date alone is none."""
    if "T" not in text or not text[:4].isdigit():
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@cache
def validator() -> Draft202012Validator:
    """Of the answers of all tools, by their paths: compiling it takes longer than a call."""
    document = openapi_document(find_namespaces().values())
    answers = {}
    for path, operations in document["paths"].items():
        told = operations.get("post", {}).get("responses", {})
        shown = (told.get("202") or told.get("200") or {}).get("content", {}).get("application/json")
        if shown:
            answers[path] = shown["schema"]
    schema = {"properties": answers, "additionalProperties": False, "components": document["components"]}
    return Draft202012Validator(schema)


def mistakes_in(sample: Sample, answer: Any) -> list[str]:
    """Where an answer is not what the document says of the tool."""
    prefix = "/api/mcp/" if sample.tool.surface is Surface.MCP else "/api/admin/"
    errors = validator().iter_errors({f"{prefix}{sample.tool.name}": answer})
    return [f"{error.instance_path}: {error.message[:200]}" for error in errors]


def test_a_time_is_told_from_other_texts() -> None:
    assert is_time("2030-01-31T12:00:00Z")
    assert is_time("2030-01-31T12:00:00+00:00")
    assert not any(map(is_time, ("2030-01-31", "DEMO-12", "Today", "T", "2030")))


@every_sample
def test_times_end_in_z_and_the_answer_is_as_documented(sample: Sample, rehearse: Rehearse) -> None:
    answer = json.loads(rehearse(sample).answer.body)

    assert [text for text in strings_in(answer) if is_time(text) and not text.endswith("Z")] == []
    assert mistakes_in(sample, answer) == []


LISTS = [one for one in SAMPLES if "fields" in one.tool.input.model_fields]


@pytest.mark.parametrize("sample", LISTS, ids=str)
def test_a_list_of_some_fields_is_as_documented_too(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rows = json.loads(rehearsal.answer.body)["data"]
    tool, arguments, key = rehearsal.ready
    rehearsal.rewind()
    name = next(iter(rows[0] if rows else {"id": ""}))
    call = rehearsal.world.admin if tool.surface is Surface.ADMIN else rehearsal.world.rest

    answer = call(tool.name, {**arguments, "fields": [name]}, key=key)

    slim = json.loads(answer.body)
    assert answer.status == 200, answer.body
    assert all(set(row) <= {"id", name} for row in slim["data"])
    assert mistakes_in(sample, slim) == []
    refused = call(tool.name, {**arguments, "fields": ["nonsense"]}, key=key)
    assert (refused.status, set(json.loads(refused.body)["issues"])) == (400, {"fields"})


PAGED = [tool for tool in ALL_TOOLS.values() if answers_page(tool) and tool.name not in BOUNDED]


@pytest.mark.parametrize("tool", PAGED, ids=str)
def test_a_page_of_many_rows_can_be_sent_and_says_where_it_goes_on(tool: AnyTool, rehearse: Rehearse) -> None:
    assert mistakes_of(rehearse(samples_of(tool.name)[0])) == []
