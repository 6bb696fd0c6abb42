"""What a key that is revoked, a line that is cut and a file that is damaged leave behind is found again."""

from contextlib import suppress

import httpx
import pytest

from forge.cli.worker.agents.protocol import Counted, End, Hear, Order, Outcome, Question
from forge.cli.worker.limits import Usage
from forge.cli.worker.loop.finding import find_work
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.runs.carrying_out import carry_out
from forge.cli.worker.runs.reins import Reins
from tests.unit.cli.worker.workbench import Actor, Bench, Death, Killed, writes_hello


def test_a_report_that_a_revoked_key_could_not_hand_in_is_handed_in_under_the_next(bench: Bench) -> None:
    issue, agent = bench.queue(), Actor(writes_hello)
    me = bench.office.call("agents.me", key=bench.key)["id"]

    def revoke(tool: str, is_done: bool) -> None:  # noqa: FBT001, RUF100 - as it is called
        if tool == "runs.complete" and not is_done:
            for one in bench.office.rows("keys.list", {}):
                if one.get("linkedAgentId") == me:
                    bench.office.call("keys.revoke", {"id": one["id"]})

    bench.line.fault = revoke
    bench.work(agent)
    bench.line.fault = lambda tool, is_done: None
    bench.key = bench.office.an_agents_key(me)
    bench.work(agent)

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
    assert len(agent.orders) == 1


def test_what_was_begun_while_the_line_was_cut_is_gone_on_with(bench: Bench) -> None:
    """Forge has heard that it is begun, and offers it to nobody any more."""
    issue = bench.office.call("issues.create", {"title": "Look at it"})["identifier"]
    me = bench.office.call("agents.me", key=bench.key)["profileKey"]
    bench.office.call("issues.assign", {"id": issue, "agentId": me, "mode": "REVIEW"})

    cuts = iter(range(3))

    def cut(tool: str, is_done: bool) -> None:  # noqa: FBT001, RUF100 - as it is called
        if tool == "runs.resumeWork" and is_done and next(cuts, None) is not None:
            raise httpx.ReadError("cut")

    agent = Actor(lambda order, hear: Outcome(End.DONE, "APPROVE: it is fine."))
    bench.line.fault = cut
    bench.work(agent)

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]


@pytest.mark.parametrize("damage", [b"\0\0\0\0\n", b'{"n": 7, "answer": {}}\n', b"[]\n"])
def test_a_journal_that_can_not_be_read_costs_neither_the_worker_nor_the_work(
    bench: Bench, damage: bytes
) -> None:
    issue, agent = bench.queue(), Actor(writes_hello)
    bench.line.fault = Death("runs.complete", is_done=False)
    with bench.crew(agent) as (crew, folder), suppress(Killed):
        found = find_work(crew, folder.runs, [])
        assert found
        carry_out(crew, found, Reins())
    (path,) = (bench.root / "worker" / "runs").glob("*/journal.jsonl")
    path.write_bytes(damage + path.read_bytes())

    bench.work(agent)

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
    assert bench.commits(bench.branches()[0]) == 1


def test_the_folder_of_who_waits_for_an_answer_stays(bench: Bench) -> None:
    """Another run of the same issue has ended, and left nothing that is worth keeping."""
    issue = bench.queue()
    outcomes = [Outcome(End.FAILED, "No."), Outcome(End.ASKED, "", Question("Which one?"))]
    with bench.crew(Actor(lambda order, hear: outcomes.pop(0)), child={"attempts": 1}) as (crew, folder):
        worker = Worker(crew, folder, lambda line: worker.drain() if "waits" in line else None)
        worker.run()

    bench.work(Actor(writes_hello))

    assert [run["status"] for run in bench.runs(issue)] == ["WAITING", "ABANDONED"]
    assert (bench.root / "worker" / "worktrees" / issue).exists()


def test_who_may_go_on_beyond_the_limit_of_its_workspace_goes_on(bench: Bench) -> None:
    issue = bench.queue()
    bench.office.call("workspaces.update", {"runCostBudgetUsd": 1})

    def spends(order: Order, hear: Hear) -> Outcome | None:
        hear(Counted(Usage(cost_usd=1.2 if len(agent.orders) == 1 else 0.5)))
        return Outcome(End.FAILED, "stopped") if agent.stopped.wait(2) else None

    agent = Actor(spends)
    bench.work(agent)
    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})
    bench.office.call("actionRequests.accept", {"id": asked["id"]})
    agent.stopped.clear()
    bench.work(agent)

    assert not agent.stopped.is_set()
    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
