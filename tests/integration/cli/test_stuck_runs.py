"""`forge needs-you`, `answer`, `kick`, `reassign`: what a person sees of an agent that is stuck, and does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from tests.integration.cli.terminals import Terminal
from tests.workshop.office import Office


@pytest.fixture(scope="module")
def office(connections: Connections) -> Office:
    return Office(World(store=provision(connections, "forge-test-stuck-runs")))


@pytest.fixture(scope="module")
def terminal(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    folder: Path = tmp_path_factory.mktemp("home")
    with serve(office.world.edge) as url:
        yield Terminal(url, office.owner_key, folder)


def a_stuck_run(office: Office, profile_key: str) -> tuple[str, str]:
    """The issue and the run of an agent that waits for an answer."""
    agent = office.an_agent(profile_key)
    issue_id = str(office.call("issues.create", {"title": "Fix the login"})["id"])
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    (run,) = office.rows("runs.list", {"issueId": issue_id})
    waits = {"runId": run["id"], "reason": "Which schema?", "blocking": True}
    office.call("runs.setWaiting", waits, key=office.an_agents_key(agent["id"]))
    return issue_id, str(run["id"])


def status_of(office: Office, run_id: str) -> str:
    return str(office.rows("runs.list", {"id": run_id})[0]["status"])


def test_an_agent_that_waits_is_listed_shown_and_answered(office: Office, terminal: Terminal) -> None:
    issue_id, run_id = a_stuck_run(office, "asking")

    listed, whole = terminal.typed("needs-you").stdout, terminal.typed("needs-you", run_id).stdout
    answered = terminal.typed("answer", run_id, "The", "second.")

    assert (run_id in listed, "Which schema?" in listed, "@asking" in listed) == (True, True, True)
    assert ("Which schema?" in whole, f"forge kick {run_id}" in whole) == (True, True)
    assert answered.exit_code == 0
    (comment,) = office.rows("comments.list", {"issueId": issue_id})
    assert comment["body"] == "@asking The second."
    assert status_of(office, run_id) == "ACTIVE"
    assert run_id not in terminal.typed("needs-you").stdout
    assert "waits for nobody" in terminal.typed("needs-you", run_id).stdout


def test_an_agent_that_is_kicked_goes_on_and_one_at_work_is_left_alone(
    office: Office, terminal: Terminal
) -> None:
    _, run_id = a_stuck_run(office, "silent")

    called, again = terminal.typed("kick", run_id), terminal.typed("kick", run_id)

    assert (called.exit_code, again.exit_code) == (0, 0)
    assert status_of(office, run_id) == "ACTIVE"
    assert "five minutes" in again.stdout


def test_the_work_of_an_agent_that_is_stuck_goes_to_another(office: Office, terminal: Terminal) -> None:
    issue_id, run_id = a_stuck_run(office, "gone")
    office.an_agent("next")

    given = terminal.typed("reassign", run_id, "next", "It", "never", "answers.")

    assert given.exit_code == 0
    assert office.call("issues.get", {"id": issue_id})["assignedAgent"]["profileKey"] == "next"
    assert run_id not in terminal.typed("needs-you").stdout


def test_what_is_no_run_and_an_answer_without_words_are_said(terminal: Terminal, office: Office) -> None:
    _, run_id = a_stuck_run(office, "mute")

    assert terminal.typed("kick", "run_none").exit_code == 2
    assert terminal.typed("answer", run_id, " ").exit_code == 2
