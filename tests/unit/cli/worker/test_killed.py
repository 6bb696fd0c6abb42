"""Whatever is killed, each task is done exactly once: the worker dies before and after every single call."""

from collections.abc import Iterator
from contextlib import suppress
from threading import current_thread, main_thread

import pytest

from forge.cli.worker.agents.protocol import Began, End, Hear, Order, Outcome, Question
from forge.cli.worker.loop.finding import find_work
from forge.cli.worker.runs.carrying_out import carry_out
from forge.cli.worker.runs.engagements import all_in
from forge.cli.worker.runs.reins import Reins
from tests.unit.cli.worker.workbench import Actor, Bench, Killed, writes_hello

PULL_REQUEST = 'grep -qsx "$FORGE_BRANCH" {ledger} || echo "$FORGE_BRANCH" >> {ledger}; echo'


LOOKS = {"agents.heartbeat", "agent.inbox", "runs.list", "agents.connect"}
"""Who dies at one of these has changed nothing since the call before."""


class Death:
    """At the n-th moment of the main thread: before a call is carried out, or after it."""

    def __init__(self, moment: int) -> None:
        self._left = moment
        self.place = ""

    def __call__(self, tool: str, is_done: bool) -> None:  # noqa: FBT001, RUF100 - as it is called
        if current_thread() is not main_thread() or tool in LOOKS:
            return
        self._left -= 1
        if self._left == 0:
            self.place = f"{'after' if is_done else 'before'} {tool}"
            raise Killed


def live(bench: Bench, agent: Actor) -> None:
    """A life of a worker: what was interrupted first, then whatever waits."""
    with bench.crew(
        agent,
        checks={"commands": ["grep hello hello.txt"]},
        git={"pull_request": PULL_REQUEST.format(ledger=bench.root / "ledger")},
    ) as (crew, folder):
        for run in all_in(folder.runs):
            if not run.ending:
                carry_out(crew, run, Reins())
        while found := find_work(
            crew, folder.runs, [one.run_id for one in all_in(folder.runs) if not one.ending]
        ):
            carry_out(crew, found, Reins())


def moments() -> Iterator[int]:
    yield from range(1, 60)


def test_a_worker_that_dies_at_any_call_ends_as_if_it_had_lived(bench: Bench) -> None:
    places = []
    for moment in moments():
        issue, death = bench.queue(f"Task {moment}"), Death(moment)
        bench.line.fault = death
        try:
            live(bench, Actor(writes_hello))
        except Killed:
            places.append(death.place)
            bench.line.fault = lambda tool, is_done: None
            live(bench, Actor(writes_hello))
        branch = f"forge/{issue}-task-{moment}"
        runs = bench.runs(issue)
        artifacts = bench.office.rows("artifacts.list", {"issueId": issue})
        assert [run["status"] for run in runs] == ["COMPLETED"], death.place
        assert (bench.commits(branch), len(artifacts)) == (1, 1), death.place
        assert (bench.root / "ledger").read_text().splitlines().count(branch) == 1, death.place
        if not death.place:
            break

    assert {"after issues.claim", "before runs.complete", "after runs.complete"} <= {*places}
    assert not death.place


def asks_and_goes_on(order: Order, hear: Hear) -> Outcome:
    """A question first, and with its answer the work."""
    if "answered" not in order.prompt:
        hear(Began("s-1"))
        return Outcome(End.ASKED, "", Question("Which one?"))
    writes_hello(order, hear)
    return Outcome(End.DONE, "Did it.")


def test_a_worker_that_dies_at_any_call_asks_once_and_hears_the_answer(bench: Bench) -> None:
    places = []
    for moment in moments():
        issue, death = bench.queue(f"Task {moment}"), Death(moment)
        bench.line.fault = death
        agent = Actor(asks_and_goes_on)
        for _ in range(4):
            with suppress(Killed):
                live(bench, agent)
            for one in bench.office.rows("actionRequests.list", {"issueId": issue, "status": "OPEN"}):
                if bench.runs(issue)[0]["status"] == "WAITING":
                    bench.office.call("actionRequests.accept", {"id": one["id"], "resolution": "The first."})
        places.append(death.place)
        asked = bench.office.rows("actionRequests.list", {"issueId": issue})
        assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"], death.place
        assert (len(asked), bench.commits(f"forge/{issue}-task-{moment}")) == (1, 1), death.place
        assert len(agent.orders) <= 3, death.place
        if not death.place:
            break

    assert {"after actionRequests.create", "after runs.setWaiting", "after agent.inbox.ack"} <= {*places}


def test_a_worker_that_dies_at_any_call_keeps_what_its_child_has_reported(bench: Bench) -> None:
    def reports(order: Order, hear: Hear) -> None:
        assert order.mcp
        writes_hello(order, hear)
        told = {"runId": order.environment["FORGE_RUN_ID"], "summary": "By itself."}
        bench.office.call("runs.complete", told, key=order.mcp.key)

    for moment in moments():
        issue, death = bench.queue(f"Task {moment}"), Death(moment)
        bench.line.fault = death
        with suppress(Killed):
            live(bench, Actor(reports))
        bench.line.fault = lambda tool, is_done: None
        live(bench, Actor(reports))
        branch = f"forge/{issue}-task-{moment}"
        artifacts = bench.office.rows("artifacts.list", {"issueId": issue})
        runs = [(run["status"], run["summary"]) for run in bench.runs(issue)]
        assert runs == [("COMPLETED", "By itself.")], death.place
        assert (bench.commits(branch), len(artifacts)) == (1, 1), death.place
        assert (bench.root / "ledger").read_text().splitlines().count(branch) == 1, death.place
        if not death.place:
            break

    assert not death.place


def test_a_worker_that_dies_again_and_again_gets_there(bench: Bench) -> None:
    issue = bench.queue()
    for moment in (2, 3, 4):
        bench.line.fault = Death(moment)
        with pytest.raises(Killed):
            live(bench, Actor(writes_hello))
    bench.line.fault = lambda tool, is_done: None

    live(bench, Actor(writes_hello))

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
