"""A key may call so often in a minute: whatever happens, there is room left for beats and reports."""

from threading import Event, Thread
from time import monotonic, sleep

from forge.cli.worker.agents.protocol import End, Hear, Order, Outcome, Said
from forge.cli.worker.loop.deciding import MOST_LOOKS, looks_left
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.runs.telling import seconds_between
from tests.unit.cli.worker.workbench import Actor, Bench

CALLS_A_MINUTE = 300


def test_who_has_looked_in_vain_so_often_looks_more_seldom() -> None:
    assert looks_left(MOST_LOOKS, 60) == MOST_LOOKS
    assert looks_left(0, 2) == 1
    assert looks_left(0, 3600) == MOST_LOOKS


def test_a_bell_that_never_rests_leaves_room_for_all_else(bench: Bench) -> None:
    with bench.crew(Actor(lambda order, hear: None), poll_seconds=60) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append)
        thread = Thread(target=worker.run)
        thread.start()
        until = monotonic() + MOST_LOOKS * 0.5 + 3
        while monotonic() < until:
            worker.ring()
            sleep(0.01)
        worker.drain()
        thread.join()

    looks = len(bench.line.named("agent.inbox"))
    assert MOST_LOOKS - 2 <= looks <= MOST_LOOKS + 4


def test_many_runs_tell_of_themselves_no_more_often_than_one() -> None:
    assert seconds_between(0) == seconds_between(1)
    for crowd in (1, 2, 8, 50):
        log, usage, status = (60 * crowd / seconds for seconds in seconds_between(crowd))
        assert log + usage + 2 * status <= CALLS_A_MINUTE / 2


def test_a_run_knows_how_many_there_are_beside_it(bench: Bench) -> None:
    seen, both = [], Event()

    def act(order: Order, hear: Hear) -> Outcome:
        hear(Said("at it"))
        seen.append(order)
        if len(seen) == 2:
            both.set()
        assert both.wait(20)
        crowds.append(worker.crew.crowd())
        return Outcome(End.DONE, "Did it.")

    crowds: list[int] = []
    for name in ("One", "Another"):
        bench.queue(name)
    with bench.crew(Actor(act), slots=2) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append)
        thread = Thread(target=worker.run)
        thread.start()
        assert both.wait(20)
        worker.drain()
        thread.join()

    assert max(crowds) == 2
