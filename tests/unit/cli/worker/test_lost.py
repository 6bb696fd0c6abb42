"""A worker without its key, its folder or the session of its agent harms no work."""

import shutil
from dataclasses import replace
from threading import Event

import pytest

from forge.cli.calls import BadArguments
from forge.cli.worker.agents.protocol import Began, End, Hear, Order, Outcome
from forge.cli.worker.loop.starting import known
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.settings.settings import Settings
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello


def test_who_is_not_whom_the_owner_meant_does_not_start(bench: Bench) -> None:
    with bench.crew(Actor(writes_hello)) as (crew, _):
        me = crew.server.call("agents.me", {})["profileKey"]
        for meant in ("", me.upper()):
            assert known(crew.server, Settings(agent="cmd:sh", profile=meant))["profileKey"] == me
        with pytest.raises(BadArguments, match="somebody-else"):
            known(crew.server, Settings(agent="cmd:sh", profile="somebody-else"))


def test_who_has_lost_its_folder_claims_nothing(bench: Bench) -> None:
    issue = bench.queue()

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        (folder.worktrees / "of-nobody").mkdir()

        def lose(line: str) -> None:
            bench.said.append(line)
            shutil.rmtree(folder.worktrees, ignore_errors=True)

        Worker(crew, folder, lose, is_once=True).run()

    assert "of-nobody" in bench.said[0], "a worktree without a run is told"
    assert "No work is taken" in bench.said[-1]
    assert bench.runs(issue) == []


class Hasty(Event):
    """Nobody waits for the next attempt."""

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()


def test_a_session_that_was_lost_twice_is_not_resumed_a_third_time(bench: Bench) -> None:
    bench.queue()

    def fails(order: Order, hear: Hear) -> Outcome:
        hear(Began("s"))
        return Outcome(End.NO_SESSION if order.is_resumed else End.FAILED, "It is broken.")

    agent = Actor(fails)
    with bench.crew(agent, child={"attempts": 4}) as (crew, folder):
        Worker(replace(crew, stopping=Hasty()), folder, bench.said.append, is_once=True).run()

    assert [order.is_resumed for order in agent.orders] == [False, True, False, True]
