"""An export of any size: whoever dies or has no time left is followed by one who goes on from there."""

from dataclasses import replace
from typing import Any

import pytest

from forge.testing.faults import ProcessDied
from forge.testing.instruments import Parameters, Send
from forge.work.background.export_files import Sizes
from forge.work.overviews.exports.orders import ExportItem
from tests.unit.admin.exporting import Exporter, Lines, read
from tests.unit.gateway.test_gates import dies_at
from tests.workshop.interference import COMMIT, Interference, only

TINY = Sizes(part_bytes=400, page_rows=3)


def test_a_worker_without_time_leaves_the_rest_to_the_next(exporter: Exporter) -> None:
    """However many it takes: each goes on where the one before put it down."""
    for number in range(5):
        exporter.call("issues.create", {"title": f"Issue {number}"})
    expected = keys_of(exporter.exported())
    export_id = exporter.order()
    exporter.messages()
    hasty = replace(exporter.worker, has_time=lambda: False)

    assert not exporter.consume(export_id, hasty, TINY)
    assert exporter.call("exports.get", {"exportId": export_id})["status"] == "RUNNING"
    for _ in range(500):
        exporter.sweep()
        if exporter.work(hasty, TINY) == [True]:
            break

    written = read(exporter.written(export_id))
    assert keys_of(written) == expected
    assert written.end["items"] == len(written.items)
    shown = exporter.call("exports.get", {"exportId": export_id, "part": 2})
    assert (shown["status"], shown["items"]) == ("DONE", len(written.items))
    assert shown["parts"] == len(exporter.find(export_id).parts) > 5
    assert "00002-" in shown["url"]
    beyond = {"exportId": export_id, "part": shown["parts"] + 1}
    assert exporter.refused("exports.get", beyond)[:2] == (400, "invalid_input")


def test_wherever_a_worker_dies_no_line_is_lost_and_none_is_there_twice(
    exporter: Exporter, interference: Interference
) -> None:
    exporter.call("issues.create", {"title": "Ship", "description": "Now."})
    expected = keys_of(exporter.exported())
    export_id = exporter.order()

    # The first commit of each worker takes the order; the one after that says that a part is written.
    for death in (2, 3, 4, 2, 2, 3):
        interference.handle = only(COMMIT, dies_at(death))
        with pytest.raises(ProcessDied):
            exporter.consume(export_id, sizes=TINY)
        interference.handle = Interference().handle
        exporter.world.clock.advance(seconds=ExportItem.lease.total_seconds() + 1)
    assert exporter.consume(export_id, sizes=TINY)

    written = read(exporter.written(export_id))
    assert keys_of(written) == expected
    assert written.end["items"] == len(written.items)


def test_a_worker_that_comes_back_to_life_spoils_nothing(
    exporter: Exporter, interference: Interference
) -> None:
    """It writes its part, and finds that another one has finished long since."""
    exporter.call("issues.create", {"title": "Ship"})
    export_id = exporter.order()
    expected: list[str] = []

    def overtake() -> None:
        exporter.world.clock.advance(seconds=ExportItem.lease.total_seconds() + 1)
        assert exporter.consume(export_id, sizes=TINY)
        expected.append(exporter.written(export_id))

    commits = [lambda: None, overtake]

    def late(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if operation == COMMIT and commits:
            commits.pop(0)()
        return send(**parameters)

    interference.handle = late

    assert not exporter.consume(export_id, sizes=TINY)
    assert [exporter.written(export_id)] == expected


def keys_of(lines: Lines) -> list[tuple[str, str]]:
    """Each line's, but of the log, in which the worker writes, too."""
    return sorted(tuple(one["key"]) for one in lines.items if one["key"][0] != "LOG")
