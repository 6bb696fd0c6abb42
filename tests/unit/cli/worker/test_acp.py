"""An agent that speaks ACP: heard, counted, asked for its permissions, and resumed."""

import sys
from pathlib import Path

from tests.unit.cli.worker.workbench import Bench

AGENT = Path(__file__).with_name("acp_agent.py")


def speaking(what: str) -> str:
    return f"acp:{sys.executable} {AGENT} {what}"


def test_an_agent_that_speaks_acp_does_its_work_and_tells_its_cost(bench: Bench) -> None:
    issue = bench.queue()

    bench.work(speaking("write"))

    (run,) = bench.runs(issue)
    assert (run["status"], run["costUsd"]) == ("COMPLETED", 0.5)
    assert "Wrote it." in run["summary"]
    assert bench.file(bench.branches()[0], "hello.txt") == "hello session-1"


def test_what_it_wants_to_be_allowed_a_person_is_asked_and_its_session_resumed(bench: Bench) -> None:
    issue, asks = bench.queue(), {"permissions": "ask"}
    bench.work(speaking("ask"), child=asks)
    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})
    waiting = bench.runs(issue)[0]["status"]

    bench.office.call("actionRequests.accept", {"id": asked["id"]})
    bench.work(speaking("ask"), child=asks)

    assert (waiting, bench.runs(issue)[0]["status"]) == ("WAITING", "COMPLETED")
    assert len(bench.office.rows("actionRequests.list", {"issueId": issue})) == 1
    assert "rm -rf" in asked["title"]
    assert bench.file(bench.branches()[0], "hello.txt") == "hello session-1"


def test_what_a_person_has_not_allowed_is_not_done(bench: Bench) -> None:
    issue, asks = bench.queue(), {"permissions": "ask"}
    bench.work(speaking("ask"), child=asks)
    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})

    bench.office.call("actionRequests.decline", {"id": asked["id"], "reason": "Not that."})
    bench.work(speaking("ask"), child=asks)

    assert bench.runs(issue)[0]["status"] == "WAITING"
    assert len(bench.office.rows("actionRequests.list", {"issueId": issue})) == 2


def test_one_that_dies_within_its_turn_has_failed(bench: Bench) -> None:
    issue = bench.queue()

    bench.work(speaking("die"), child={"attempts": 1})

    assert bench.runs(issue)[0]["status"] == "ABANDONED"
