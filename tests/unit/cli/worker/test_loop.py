"""The loop of a worker: nothing is taken twice, nothing waits for ever, and no mistake ends it."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread, Timer
from time import sleep

import pytest

from forge.cli.calls import BadArguments
from forge.cli.worker.agents.choosing import agent_of
from forge.cli.worker.agents.protocol import End, Hear, Order, Outcome
from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.signals import heeded
from forge.cli.worker.loop.slots import Slots
from forge.cli.worker.loop.starting import require_program
from forge.cli.worker.loop.tidying import gone, tidy
from forge.cli.worker.loop.working import UNLUCKY, Worker
from forge.cli.worker.runs.carrying_out import Left
from forge.cli.worker.runs.engagements import Engagement, all_in, begin
from tests.integration.cli.processes import eventually
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello

_NOBODY = 65534


def test_what_has_left_its_slot_is_known_before_the_slot_is_free(bench: Bench) -> None:
    bench.queue()
    seen = []

    def left(run: Engagement, left: Left | None, problem: str) -> None:
        seen.append([slot.run.run_id for slot in slots] == [run.run_id])

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        slots = Slots(crew, 1, left)
        slots.start(begin(folder.runs, "run_unknown", {"issue": {"identifier": "DEMO-1", "title": "T"}}))
        eventually(lambda: not slots, "an end")

    assert seen == [True]


def test_a_run_that_a_mistake_of_ours_broke_off_goes_on_though_the_bell_never_rests(bench: Bench) -> None:
    issue, tried = bench.queue(), []

    def fails_once(order: Order, hear: Hear) -> None:
        tried.append(order)
        if len(tried) == 1:
            raise OSError("The disk is full.")
        writes_hello(order, hear)

    over = Event()
    with bench.crew(Actor(fails_once)) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append)
        thread = Thread(target=worker.run)
        thread.start()

        def ring() -> None:
            while not over.wait(0.01):
                worker.ring()

        Thread(target=ring, daemon=True).start()
        try:
            eventually(lambda: [one["status"] for one in bench.runs(issue)] == ["COMPLETED"], "an end")
        finally:
            over.set()
            worker.drain()
            thread.join()

    assert len(tried) == 2


class Heard:
    def __init__(self) -> None:
        self.is_draining = False
        self.is_stopped = False

    def drain(self) -> None:
        self.is_draining = True

    def stop(self) -> None:
        self.is_stopped = True


def test_the_first_signal_drains_and_the_second_stops() -> None:
    worker = Heard()
    with heeded(worker):
        os.kill(os.getpid(), signal.SIGTERM)
        eventually(lambda: worker.is_draining, "draining")
        assert not worker.is_stopped
        os.kill(os.getpid(), signal.SIGTERM)
        eventually(lambda: worker.is_stopped, "an end")


def test_whoever_is_told_to_drain_twice_by_the_command_still_finishes_its_work() -> None:
    worker = Heard()
    with heeded(worker):
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGUSR2)
        eventually(lambda: worker.is_draining, "draining")
        assert not worker.is_stopped
        os.kill(os.getpid(), signal.SIGUSR1)
        eventually(lambda: worker.is_stopped, "an end")


def test_a_signal_never_waits_for_whoever_it_interrupts() -> None:
    """The main thread may hold any lock just then."""
    held = Event()

    class Locked(Heard):
        def drain(self) -> None:
            assert held.wait(10)
            super().drain()

    worker = Locked()
    with heeded(worker):
        os.kill(os.getpid(), signal.SIGTERM)
        held.set()
        eventually(lambda: worker.is_draining, "draining")


@pytest.fixture
def ours() -> Iterator[Path]:
    """A folder of somebody who is not root, as whom the test goes on: root may write everywhere."""
    with TemporaryDirectory() as folder:
        os.chown(folder, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_folders_that_an_agent_made_read_only_are_taken_away_all_the_same(ours: Path) -> None:
    module, outside = ours / "run" / "home" / "go" / "mod", ours / "outside"
    for folder in (module, outside):
        folder.mkdir(parents=True)
    (module / "file").touch()
    (module.parent / "link").symlink_to(outside)
    for folder, mode in ((module, 0o000), (module.parent, 0o555), (outside, 0o500)):
        folder.chmod(mode)

    gone(ours / "run")

    assert not (ours / "run").exists()
    assert outside.stat().st_mode & 0o777 == 0o500


def test_what_can_not_be_taken_away_ends_no_worker(bench: Bench) -> None:
    bench.queue()
    bench.work(Actor(writes_hello))

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        (run,) = all_in(folder.runs)
        run.journal.note(worktree=None)
        elsewhere = run.folder.with_name("elsewhere")
        run.folder.rename(elsewhere)
        run.folder.symlink_to(elsewhere)

        assert not tidy(crew, run)


def test_why_work_was_given_back_is_told_where_the_worker_runs_and_in_the_log(bench: Bench) -> None:
    issue = bench.queue()

    bench.work("cmd:/no/such/program", child={"attempts": 1})

    assert "could not be started" in bench.said[-1]
    (run,) = bench.runs(issue)
    chunks = bench.office.call("runs.log", {"runId": run["id"]})["chunks"]
    assert "could not be started" in "".join(one["text"] for one in chunks)


def test_nothing_is_claimed_while_nobody_knows_where_work_begins(bench: Bench) -> None:
    issue = bench.queue()

    with bench.crew(Actor(writes_hello), git={"base": "no-such-branch"}) as (crew, folder):
        crew.repository.base = "no-such-branch"
        Worker(crew, folder, bench.said.append, is_once=True).run()

    assert bench.runs(issue) == []
    assert "no-such-branch" in bench.said[-1]


def test_who_can_do_nothing_does_not_go_through_the_whole_queue(bench: Bench) -> None:
    """An agent without its model fails at each: what it gives back three times a person has to look at."""
    for number in range(6):
        bench.queue(f"Task {number}")
    now = [0.0]

    with bench.crew(Actor(lambda order, hear: Outcome(End.FAILED, "No model.")), child={"attempts": 1}) as (
        crew,
        folder,
    ):
        worker = Worker(replace(crew, tick=lambda: now[0]), folder, bench.said.append)
        thread = Thread(target=worker.run)
        thread.start()
        eventually(lambda: any("given back" in one for one in bench.said[-3:]), "the first")
        eventually(lambda: len(bench.line.named("runs.giveBack")) == UNLUCKY, "as many as are tried")
        worker.ring()
        sleep(0.5)
        meanwhile = len(bench.line.named("runs.giveBack"))
        now[0] = 10.0
        eventually(lambda: len(bench.line.named("runs.giveBack")) == UNLUCKY + 1, "one more")
        worker.drain()
        thread.join()

    assert meanwhile == UNLUCKY


def test_an_agent_that_is_not_there_is_told_before_anything_is_claimed() -> None:
    for typed in (
        "claude:/no/such/claude",
        "cmd:no-such-program -x",
        "acp:no-such-program",
        "codex:/no/codex",
    ):
        with pytest.raises(BadArguments, match="no"):
            require_program(agent_of(typed))

    require_program(agent_of("cmd:sh -c true"))


def test_a_repository_that_is_away_for_a_moment_costs_nobody_the_work(bench: Bench) -> None:
    issue, away = bench.queue(), bench.source.with_name("away")

    def act(order: Order, hear: Hear) -> None:
        writes_hello(order, hear)
        bench.source.rename(away)
        Timer(0.5, lambda: away.rename(bench.source)).start()

    bench.work(Actor(act))

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
    assert bench.file(bench.branches()[0], "hello.txt") == "hello"


def test_a_command_for_pull_requests_that_fails_once_is_run_again(bench: Bench) -> None:
    issue = bench.queue()
    once = f"test -e {bench.root}/tried || {{ touch {bench.root}/tried; exit 1; }}; echo https://x.example/1"

    bench.work(Actor(writes_hello), git={"pull_request": once})

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]


def test_forge_is_told_at_once_what_a_worker_is_at(bench: Bench) -> None:
    """Until then its claim is that of an idle one, who may be silent for minutes."""
    bench.queue()
    told: list[list[str]] = []

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        worker = Worker(
            crew, folder, bench.said.append, is_once=True, begun=lambda: told.append(worker.known_runs())
        )
        worker.run()
        beats = Beats(crew.server, "cmd", "box", seconds=60)
        beats.of(worker.beat, lambda answer: None)
        before = len(bench.line.named("agents.heartbeat"))
        beats.start()
        beats.soon()
        eventually(lambda: len(bench.line.named("agents.heartbeat")) > before, "a beat")
        beats.stop()

    assert len(told) == 1
    assert len(told[0]) == 1


def test_a_reason_of_nothing_but_white_space_is_none(bench: Bench) -> None:
    issue = bench.queue()

    bench.work(Actor(lambda order, hear: Outcome(End.FAILED, " \n ")), child={"attempts": 1})

    assert [run["status"] for run in bench.runs(issue)] == ["ABANDONED"]


def test_work_that_could_not_be_given_back_is_tried_anew(bench: Bench) -> None:
    issue = bench.queue()
    bench.line.refusals["runs.giveBack"] = {"error": "conflict", "message": "Not just now."}

    bench.work(Actor(lambda order, hear: Outcome(End.FAILED, "No model.")), child={"attempts": 1})

    assert [run["status"] for run in bench.runs(issue)] == ["ABANDONED"]
