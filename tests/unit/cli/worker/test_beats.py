"""A worker that falls silent loses its work: nothing that goes wrong with one beat ends the beats."""

from typing import Any, Never

from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.shown import status_of
from forge.cli.worker.loop.working import Worker
from tests.integration.cli.processes import eventually
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello


def test_no_mistake_ends_the_beats_and_the_status_shows_it(bench: Bench) -> None:
    mistakes = iter([OSError("the first"), OSError("the second")])

    def mistaken() -> Never:
        raise next(mistakes, OSError("one more"))

    def shown() -> dict[str, Any]:
        return status_of(worker, beats, url="http://forge.test", process=1)

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append, is_once=True)
        beats = Beats(crew.server, "cmd", "box", seconds=0.01, tell=bench.said.append)
        beats.of(mistaken, bool)
        beats.start()
        eventually(lambda: shown()["problem"] == "OSError: one more", "a beat after two that failed")
        beats.of(dict, bool)
        eventually(lambda: not shown()["problem"], "a beat that is heard")
        beats.stop()

    assert bench.said[0] == "OSError: the first"
    assert len(bench.said) == 2


def test_a_machine_that_somebody_has_removed_is_made_again(bench: Bench) -> None:
    gone = {"error": "not_found", "message": "There is no such runtime."}
    with bench.crew(Actor(writes_hello)) as (crew, _):
        beats = Beats(crew.server, "cmd", "box")
        beats.beat()
        bench.line.refusals["agents.heartbeat"] = gone
        before = len(bench.line.named("agents.connect"))
        beats.beat()
        beats.beat()

    assert len(bench.line.named("agents.connect")) == before + 1
    assert (bool(beats.runtime_id), beats.problem) == (True, "")
