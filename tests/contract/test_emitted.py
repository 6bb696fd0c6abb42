"""Which events each tool emits: exactly these, once each, with these payloads."""

import json
from collections.abc import Mapping

import pytest

from forge.contract.terms import Surface
from tests.contract.calls import CHANGING
from tests.contract.emitted import EMITTED
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import Sample
from tests.contract.test_log_rows import log_rows, transactions

OFFERED = [sample for sample in CHANGING if sample.tool.surface is Surface.MCP]

every_offered_change = pytest.mark.parametrize("sample", OFFERED, ids=str)


def announced(sample: Sample, rehearse: Rehearse) -> list[Mapping[str, object]]:
    rows = [row for writes in transactions(rehearse(sample)) for row in log_rows(writes)]
    return [row for row in rows if row.get("kind")]


def test_the_table_names_every_tool_that_changes_something() -> None:
    assert set(EMITTED) == {str(sample) for sample in OFFERED}


@every_offered_change
def test_a_call_emits_its_events_and_no_others(sample: Sample, rehearse: Rehearse) -> None:
    rows = announced(sample, rehearse)

    shown = sorted(f"{row['kind']} {row['subject_type']}: {_names(row)}" for row in rows)
    assert shown == sorted(EMITTED[str(sample)])


@every_offered_change
def test_an_event_of_an_issue_can_be_told_by_whoever_sees_the_issue(
    sample: Sample, rehearse: Rehearse
) -> None:
    for row in announced(sample, rehearse):
        about_issue = row["subject_type"] in ("issue", "agent-run")
        assert bool(row.get("issue_id")) >= about_issue
        # What is told goes through a queue that takes 256 KB.
        assert len(json.dumps(row, default=str)) < 100_000


def _names(row: Mapping[str, object]) -> str:
    payload = row.get("payload")
    return ", ".join(sorted(payload)) if isinstance(payload, dict) else ""
