"""Each tool emits the events that its declaration names, no others, and with the payloads that it says."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from forge.contract.effects import Emission
from forge.contract.tools import AnyTool
from functions.events.models import SubjectType
from tests.contract.calls import CHANGING, samples_of
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_TOOLS, Sample
from tests.contract.test_log_rows import log_rows, transactions

CHANGING_TOOLS = [tool for tool in ALL_TOOLS.values() if any(one.tool is tool for one in CHANGING)]

Row = Mapping[str, Any]


def announced(sample: Sample, rehearse: Rehearse) -> list[Row]:
    rows = [row for writes in transactions(rehearse(sample)) for row in log_rows(writes)]
    return [row for row in rows if row.get("kind")]


def declared_as(emits: Iterable[Emission], row: Row) -> Iterator[Emission]:
    """What of a declaration this event can be: kind, subject and the payload's fields tell."""
    for one in emits:
        fields = {field.alias or name for name, field in one.told.model_fields.items()}
        always = {field.alias or name for name, field in one.told.model_fields.items() if field.is_required()}
        if (one.kind, one.subject) == (row["kind"], row["subject_type"]) and always <= row[
            "payload"
        ].keys() <= fields:
            yield one


@pytest.mark.parametrize("tool", CHANGING_TOOLS, ids=str)
def test_a_tool_emits_what_it_declares_and_nothing_else(tool: AnyTool, rehearse: Rehearse) -> None:
    seen: set[Emission] = set()

    for sample in samples_of(tool.name):
        for row in announced(sample, rehearse):
            (emission,) = declared_as(tool.emits, row)
            emission.told.model_validate(row["payload"])
            seen.add(emission)
            # Whoever sees the issue can be told of it, through a queue that takes 256 KB.
            assert row["subject_type"] != "agent-run" or row.get("issue_id")
            assert len(json.dumps(row["payload"], default=str)) < 100_000

    assert seen == set(tool.emits)


def test_events_can_be_asked_for_by_whatever_they_are_about() -> None:
    told = {one.subject for tool in ALL_TOOLS.values() for one in tool.emits}

    assert told == set(SubjectType)
