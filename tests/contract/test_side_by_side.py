"""Two builds on one table, as in an upgrade or a rollback: what the newer one knows survives the older."""

import json
from collections.abc import Callable

import pytest

from forge.cli.backups.places import kinds
from forge.contract.terms import Effect
from forge.store.items import Item
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.relaying import relay_handler
from forge.wire.workers import sweep_handler
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.log.rows import LogItem
from tests.contract.calls import SAMPLES, every_changing_sample, every_sample
from tests.contract.dumps import Dump, dump, restore
from tests.contract.newer_builds import (
    UNKNOWN,
    Row,
    additions_in,
    an_item,
    as_newer,
    with_additions,
    with_unknown_values,
)
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import Sample, Stage, prepare
from tests.unit.store.things import begin
from tests.unit.work.messages import waiting_messages

READING = [sample for sample in SAMPLES if sample.tool.effect is Effect.READ_ONLY]


def put_row(store: Store, row: Row) -> None:
    store.table.client.ask("PutItem", {"TableName": store.table.name, "Item": row})


def rewrite_rows(store: Store, write: Callable[[Row], Row]) -> Dump:
    """As if another build had written the table, keys apart: who calls is known to both."""
    present = dump(store)
    wanted = {
        place: row if place[0].startswith("KEY#") else write(dict(row)) for place, row in present.items()
    }
    restore(store, wanted, present=present)
    return wanted


def on_another_builds_table(rehearsal: Rehearsal, write: Callable[[Row], Row]) -> Dump:
    rehearsal.rewind()
    return rewrite_rows(rehearsal.store, write)


# Rows of the log have no version: nobody replaces one.
REPLACED = [kind for kind in kinds() if kind is not LogItem]


@pytest.mark.parametrize("kind", REPLACED, ids=lambda kind: kind.__name__)
def test_what_a_newer_build_stored_is_read_and_survives_a_change(kind: type[Item], store: Store) -> None:
    newer = as_newer(an_item(kind).attributes(), kind)
    put_row(store, newer)
    place = kind.from_attributes(newer).key

    read = store.table.get(kind, place, missing=LookupError())  # type: ignore[arg-type]  # never raised
    tx = begin(store)
    tx.replace(read.changed())
    store.commit(tx)

    stored = dump(store)[place.partition, place.sort]
    assert stored == newer | {"version": {"N": str(read.version + 1)}}


@every_changing_sample
def test_no_tool_erases_what_a_newer_build_added(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    before = on_another_builds_table(rehearsal, with_additions)

    answer = rehearsal.call()

    assert answer.status == 200, answer.body
    after = rehearsal.held()
    for place in before.keys() & after.keys():
        if place[0].startswith("KEY#"):
            continue
        kept = additions_in(dict(after[place]))
        lost = [one for one in additions_in(dict(before[place])) if not kept.get(one, True)]
        assert not lost, (place, lost)


@every_sample
def test_no_tool_breaks_on_values_that_only_a_newer_build_knows(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    on_another_builds_table(rehearsal, with_unknown_values)

    answer = rehearsal.call()

    assert answer.status < 500, answer.body


def test_a_log_row_of_an_unknown_kind_is_shown_as_it_is_stored(store: Store) -> None:
    world = World(store=store)
    stage = Stage(world)
    calls = []
    for sample in READING:
        calls.append(prepare(sample, stage))
        # A key may do so much in a minute, and all is prepared with one.
        world.clock.advance(minutes=1)
    rewrite_rows(store, lambda row: row | {"kind": {"S": UNKNOWN}} if is_event(row) else row)

    answers = {call.tool.name: call.send(world) for call in calls}

    assert {name: answer.status for name, answer in answers.items() if answer.status != 200} == {}
    shown = json.loads(answers["events.recent"].body)["data"]
    assert {event["kind"] for event in shown} == {UNKNOWN}


def is_event(row: Row) -> bool:
    return row["pk"]["S"].endswith("#LOG") and "kind" in row


def test_relay_and_sweep_hand_on_a_log_row_of_an_unknown_kind(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    world = World(store=store)
    Stage(world).an_agent()
    rewrite_rows(store, lambda row: row | {"kind": {"S": UNKNOWN}} if is_event(row) else row)
    (mark,) = [row for row in dump(store).values() if row["pk"]["S"].endswith("#OUTBOX")]
    record = {"eventName": "INSERT", "dynamodb": {"NewImage": mark, "SequenceNumber": "1"}}

    relayed = relay_handler(lambda: world.services)({"Records": [record]}, None)
    put_row(store, dict(mark))
    world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    swept = sweep_handler(lambda: world.services)({}, None)

    assert (swept["settled"], relayed) == (1, {"batchItemFailures": []})
    assert [message["kind"] for message in waiting_messages(store)] == [UNKNOWN, UNKNOWN]
