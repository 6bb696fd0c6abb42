"""`forge needs-you`, `accept`, `decline`, `vote`: what a person sees of a request, and what they settle."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from forge.cli import needs_you
from forge.cli.calls import Connection
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from tests.integration.cli.terminals import Terminal
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.plans import a_loop, a_step
from tests.workshop.requests import OPTIONS, asked, card, issue_of

EVIL = "Ship\x1b[2J it\x1b]0;owned\x07?\u202e [bold]now[/] :warning:"


@pytest.fixture(scope="module")
def office(connections: Connections) -> Office:
    return Office(World(store=provision(connections, "forge-test-needs-you")))


@pytest.fixture(scope="module")
def url(office: Office) -> Iterator[str]:
    with serve(office.world.edge) as where:
        yield where


@pytest.fixture
def terminal(url: str, office: Office, tmp_path: Path) -> Terminal:
    return Terminal(url, office.owner_key, tmp_path)


def test_what_waits_for_this_person_is_listed_the_gravest_first(
    url: str, office: Office, tmp_path: Path
) -> None:
    ada, other = office.a_colleague(), office.a_colleague()
    plain = asked(office, "Plain one", assignedUserId=ada.id)
    grave = asked(office, "Grave one", assignedUserId=ada.id, severity="CRITICAL", issueId=an_issue(office))
    for_all, elsewhere = asked(office, "For all"), asked(office, "Elsewhere", assignedUserId=other.id)
    hers = Terminal(url, ada.key, tmp_path)

    listed, all_of_them = hers.typed("needs-you").stdout, hers.typed("needs-you", "--all").stdout
    rows: Body = json.loads(hers.typed("needs-you", "--json").stdout)

    assert listed.index(grave) < listed.index(plain)
    assert (for_all in listed, elsewhere in listed, elsewhere in all_of_them) == (True, False, True)
    assert {row["id"] for row in rows["data"]} >= {plain, grave, for_all}


def a_gate(office: Office, name: str) -> str:
    order = {"targetType": "release", "targetId": name, "prompt": f"{name}?\nThe notes are written."}
    return str(office.call("reviewGates.open", order)["id"])


def test_a_gate_waits_among_the_requests_and_is_decided_like_them(office: Office, terminal: Terminal) -> None:
    grave = asked(office, "Graver than a gate", severity="CRITICAL")
    first = a_gate(office, "first")
    office.world.clock.advance(seconds=1)
    second = a_gate(office, "second")

    listed, whole = terminal.typed("needs-you").stdout, terminal.typed("needs-you", first).stdout
    approved = terminal.typed("accept", first, "Well done.", says="y\n")
    rejected = terminal.typed("decline", second, "Not yet.", says="y\n")

    assert listed.index(grave) < listed.index(first) < listed.index(second)
    assert f"forge accept {first}" in whole
    assert (approved.exit_code, rejected.exit_code) == (0, 0)
    settled = [office.rows("reviewGates.list", {"id": one})[0] for one in (first, second)]
    assert [(one["status"], one["resolution"]) for one in settled] == [
        ("APPROVED", "Well done."),
        ("REJECTED", "Not yet."),
    ]
    assert first not in terminal.typed("needs-you").stdout


def test_a_gate_that_is_not_confirmed_stays_open(office: Office, terminal: Terminal) -> None:
    gate_id = a_gate(office, "third")

    for verb in ("accept", "decline"):
        terminal.typed(verb, gate_id, says="n\n")

    assert office.rows("reviewGates.list", {"id": gate_id})[0]["status"] == "PENDING"


def test_a_card_shows_what_a_yes_does_what_happened_since_and_what_it_cost(
    office: Office, terminal: Terminal
) -> None:
    issue_id, agent = an_issue(office), office.an_agent("costly")
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    (run,) = office.rows("runs.list", {"issueId": issue_id})
    key = office.an_agents_key(agent["id"])
    office.call("runs.recordUsage", {"runId": run["id"], "costUsd": 1.5}, key=key)
    proposal: Body = {"kind": "TRANSITION", "payload": {"statusId": "Done"}, "dueAt": "2999-01-02T03:04:00Z"}
    request_id = asked(office, "Close it?", key=key, issueId=issue_id, body="All\ngreen.", **proposal)
    office.world.clock.advance(minutes=1)
    office.call("issues.update", {"id": issue_id, "description": "Wait."})

    shown = terminal.typed("needs-you", request_id)

    row = card(office, request_id)
    lines = shown.stdout.splitlines()
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert lines[0] == "Close it?"
    assert f"About {row['identifier']}, on which 1.50 USD were spent so far." in lines
    assert "  green." in lines
    assert f"A yes: Moves {row['identifier']} to Done." in lines
    assert f"Since then: {row['identifier']} changed after this was asked." in lines
    assert "Due 2999-01-02 03:04 UTC; nothing happens by itself then." in lines
    assert f"forge accept {request_id} --shown {row['shownHash']}" in lines
    assert "asked by @costly" in lines[1]


def test_an_approval_shows_all_of_its_steps_and_when_it_lapses(office: Office, terminal: Terminal) -> None:
    loop = a_loop(office)
    long = "x" * 9_000
    first = a_step("Design", body="On one page.", expectedOutput="A page.", assignedAgentId=loop.worker)
    plan_id, _ = loop.plan(first, a_step("Build", 0, body=f"{long} the end"[-7_000:]))
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    lapses = f"{office.world.clock() + timedelta(days=7):%Y-%m-%d %H:%M} UTC"

    listed, shown = (terminal.typed("needs-you", *which).stdout for which in ((), (asked,)))

    lines = shown.splitlines()
    assert f"lapses {lapses}" in listed
    assert any(line.startswith(f"Lapses {lapses}") for line in lines)
    assert {"Step 1: Design (@worker)", "  On one page.", "  Expected:", "  A page."} <= {*lines}
    assert "Step 2: Build (after 1)" in lines
    assert "the end" in shown


def test_an_agents_words_command_no_terminal_and_pass_for_no_line_of_ours(
    office: Office, terminal: Terminal
) -> None:
    request_id = asked(office, EVIL, body=f"{EVIL}\nA yes: Does nothing at all.\r\x1b[1A")

    shown = terminal.typed("needs-you", request_id).stdout

    assert not {letter for letter in shown if not letter.isprintable()} - {"\n"}
    assert "[bold]now[/] :warning:" in shown
    assert [line for line in shown.splitlines() if line.startswith("A yes:")] == [
        "A yes: Changes nothing by itself; your words go to whoever asked."
    ]


def test_a_yes_is_asked_for_once_more_and_then_does_it(office: Office, terminal: Terminal) -> None:
    issue_id = an_issue(office)
    request_id = asked(office, issueId=issue_id, kind="TRANSITION", payload={"statusId": "Done"})

    hesitating = terminal.typed("accept", request_id, says="n\n")
    before = card(office, request_id)["status"]
    accepted = terminal.typed("accept", request_id, "Ship", "it.", says="y\n")

    assert (hesitating.exit_code, before) == (1, "OPEN")
    assert (accepted.exit_code, accepted.stdout.splitlines()[-1]) == (
        0,
        f"Accepted {request_id}. Done as asked.",
    )
    assert issue_of(office, issue_id)["status"]["name"] == "Done"
    assert card(office, request_id)["resolution"].endswith(" — Ship it.")


def test_a_yes_to_what_was_shown_asks_nothing_and_to_anything_else_is_refused(
    office: Office, terminal: Terminal
) -> None:
    request_id = asked(office)

    other = terminal.typed("accept", request_id, "--shown", "0" * 32)
    same = terminal.typed("accept", request_id, "--shown", card(office, request_id)["shownHash"])

    assert (other.exit_code, other.stdout) == (1, "")
    assert other.stderr.startswith("conflict: ")
    assert same.exit_code == 0


def test_a_no_and_a_vote_are_settled(office: Office, terminal: Terminal) -> None:
    declined, poll = asked(office), asked(office, options=OPTIONS)

    no = terminal.typed("decline", declined, "Too", "risky.")
    voted = terminal.typed("vote", poll, "isolate")

    assert (no.exit_code, card(office, declined)["resolution"][-10:]) == (0, "Too risky.")
    assert voted.exit_code == 0
    assert f"  1 isolate - {OPTIONS[1]['label']} (yours)" in voted.stdout.splitlines()


def test_what_a_gate_asks_is_shown_as_plain_text_and_needs_no_code(
    office: Office, terminal: Terminal
) -> None:
    gate_id = office.call("reviewGates.open", {"targetType": "release", "targetId": "evil", "prompt": EVIL})[
        "id"
    ]

    shown = terminal.typed("needs-you", gate_id).stdout
    rows: Body = json.loads(terminal.typed("needs-you", "--json").stdout)
    refused = [terminal.typed("needs-you", "gate_no"), terminal.typed("accept", gate_id, "--shown", "x")]

    assert not {letter for letter in shown if not letter.isprintable()} - {"\n"}
    assert gate_id in {row["id"] for row in rows["data"]}
    assert [one.exit_code for one in refused] == [2, 2]


def test_a_wrong_id_and_no_connection_say_what_to_do(
    office: Office, terminal: Terminal, tmp_path: Path
) -> None:
    unknown = terminal.typed("needs-you", "ar_unknown")
    refused = terminal.typed("decline", "ar_unknown")
    nowhere = Terminal("", "", tmp_path).typed("needs-you")

    assert (unknown.exit_code, refused.exit_code, nowhere.exit_code) == (2, 1, 2)
    assert "forge needs-you" in unknown.stderr
    assert refused.stderr.startswith("not_found: ")


def test_an_agents_key_is_told_that_it_decides_nothing(office: Office, url: str, tmp_path: Path) -> None:
    agent = office.an_agents_key(office.an_agent("decider")["id"])

    told = Terminal(url, agent, tmp_path).typed("needs-you")

    assert (told.exit_code, "FORGE_KEY" in told.stderr) == (2, True)


def test_who_watches_is_told_what_waits_and_then_only_what_comes(
    office: Office, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, later = asked(office, "Before"), list[str]()

    def pause(seconds: float) -> None:
        if later:
            raise KeyboardInterrupt
        later.append(asked(office, "Meanwhile"))

    ended = needs_you.watch(Connection(url, office.owner_key), everything=False, pause=pause)

    told = capsys.readouterr().out
    assert (ended, told.count(first), told.count(later[0])) == (0, 1, 1)
    assert told.index(first) < told.index(later[0])
