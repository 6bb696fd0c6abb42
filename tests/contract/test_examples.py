"""A call of every tool and its answer, as the reference shows them: recorded here, and still what happens.

`make examples` records them anew.
"""

import json
import re
from typing import Any

import pytest

from forge.contract.names import camel_case
from infra.examples import CALLS, WRITES, recorded_writes
from infra.table import name_of
from tests.contract.calls import samples_of
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_TOOLS

_DIFFERENT_EACH_TIME = (
    (re.compile(r"forge_sk_[\w-]+"), "forge_sk_…"),
    (re.compile(r"https?://(127\.0\.0\.1|localhost):\d+/[^/?]+"), "https://bucket.s3.amazonaws.com"),
    (re.compile(r'(X-Amz-(?:Credential|Signature|Date|Security-Token)=)[^&"]+'), r"\1…"),
)
# The count of a key's calls, and the answer that a repetition gets.
_BY_EVERY_CALL = {"AuthenticationItem", "IdempotencyItem"}
_LONGEST = 200
_ENOUGH_TEXT, _ENOUGH_ITEMS = 80, 2


def shortened(value: Any) -> Any:
    """Some samples have texts and lists as long as they may be; nobody reads them in an example."""
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_ENOUGH_TEXT]}…"
    if isinstance(value, dict):
        return {name: shortened(child) for name, child in value.items()}
    if not isinstance(value, list):
        return value
    more = len(value) - _ENOUGH_ITEMS
    if more > 1 and len(json.dumps(value)) > _LONGEST:
        return [*shortened(value[:_ENOUGH_ITEMS]), f"… {more} more"]
    return [shortened(child) for child in value]


def recorded(answer: Any, secrets: tuple[str, ...]) -> Any:
    """An answer in the form in which two calls give the same."""
    if isinstance(answer, dict) and secrets:
        answer = answer | dict.fromkeys(map(camel_case, secrets), "…")
    text = json.dumps(answer, ensure_ascii=False)
    for pattern, instead in _DIFFERENT_EACH_TIME:
        text = pattern.sub(instead, text)
    return shortened(json.loads(text))


@pytest.mark.parametrize("name", sorted(ALL_TOOLS))
def test_a_call_and_its_answer_are_as_the_reference_shows_them(
    name: str, rehearse: Rehearse, request: pytest.FixtureRequest
) -> None:
    sample = samples_of(name)[0]
    rehearsal = rehearse(sample)
    answer = recorded(json.loads(rehearsal.answer.body), sample.tool.secrets)
    happens = {"arguments": recorded(rehearsal.ready.arguments, ()), "answer": answer}
    file = CALLS / f"{name}.json"
    if request.config.getoption("--record"):
        # In one line, because the reference lays it out for people.
        file.write_text(json.dumps(happens, ensure_ascii=False) + "\n", encoding="utf-8")

    shown = json.loads(file.read_text(encoding="utf-8")) if file.exists() else "nothing; run make examples"

    assert shown == happens


@pytest.mark.parametrize("name", sorted(ALL_TOOLS))
def test_a_call_writes_what_the_map_of_the_table_says(
    name: str, rehearse: Rehearse, request: pytest.FixtureRequest
) -> None:
    rehearsal = rehearse(samples_of(name)[0])
    before, after = rehearsal.start, rehearsal.end
    changed = [place for place in before.keys() | after.keys() if before.get(place) is not after.get(place)]
    happens = {name_of(after.get(place) or before[place]) for place in changed} - _BY_EVERY_CALL
    written = recorded_writes()
    if request.config.getoption("--record"):
        written = {tool: names for tool, names in written.items() if tool in ALL_TOOLS}
        written |= {name: sorted(happens)}
        lines = {tool: " ".join(names) for tool, names in sorted(written.items()) if names}
        WRITES.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")

    assert set(written.get(name, [])) == happens, "run make examples"


def test_no_example_is_of_a_tool_that_is_gone() -> None:
    assert {file.stem for file in CALLS.glob("*.json")} | recorded_writes().keys() <= set(ALL_TOOLS)
