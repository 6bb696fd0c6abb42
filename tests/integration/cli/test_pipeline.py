"""`forge pipeline`: what a person begins, sees, answers, reads and follows from a terminal."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forge.cli import pipelines
from forge.cli.calls import Connection
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from tests.integration.cli.terminals import Terminal
from tests.unit.pipeline.starts import ask, begun, done, up_to
from tests.workshop.office import Office

EVIL = "## Approach\x1b[2J\n\tShip\x1b]0;owned\x07 it\u202e [bold]now[/] :warning:\r\n"


@pytest.fixture
def office(served: tuple[Office, str]) -> Office:
    office, _ = served
    # A minute of its own for every test, so that none is one call too many.
    office.world.clock.advance(minutes=2)
    return office


@pytest.fixture(scope="module")
def served(connections: Connections) -> Iterator[tuple[Office, str]]:
    office = Office(World(store=provision(connections, "forge-test-pipeline-cli")))
    with serve(office.world.edge) as url:
        yield office, url


@pytest.fixture
def terminal(served: tuple[Office, str], office: Office, tmp_path: Path) -> Terminal:
    return Terminal(served[1], office.owner_key, tmp_path)


@pytest.fixture
def watch(served: tuple[Office, str], office: Office) -> Callable[..., int]:
    at = Connection(served[1], office.owner_key)
    return lambda workspace, pause: pipelines.watch(at, workspace, pause=pause)


def test_a_text_begins_a_pipeline_of_the_effort_that_was_said_or_chosen(
    office: Office, terminal: Terminal
) -> None:
    said = terminal.typed("pipeline", "start", "Add a page", "--effort", "S", "--auto", "--nopr")
    chosen = terminal.typed("pipeline", "start", "Add", "a", "page", says="L\n")

    lines = said.stdout.splitlines()
    first, second = (begun_in(result.stdout) for result in (said, chosen))
    small, large = (office.call("state_resume_info", {"workspace": one}) for one in (first, second))
    assert (said.exit_code, said.stderr, chosen.exit_code) == (0, "", 0)
    assert (small["effort"], small["autoApprove"], small["skipPr"]) == ("S", True, True)
    assert (large["effort"], large["autoApprove"], large["skipPr"]) == ("L", False, False)
    assert "Skipped: Phase 2: Investigation, " in lines[1]
    assert "  M skips Tasks AI Review, Tasks Checkpoint (recommended)" in chosen.stdout.splitlines()
    assert f"forge pipeline watch {first}" in lines


def begun_in(shown: str) -> str:
    return next(word for word in shown.split() if word.startswith(".specs/"))


def test_what_begins_nothing_says_what_to_type_instead(office: Office, terminal: Terminal) -> None:
    known = begun(office)

    wrong = [
        terminal.typed("pipeline", "start", *words)
        for words in (["x"], ["Add a page", "--effort", "XS"], ["https://github.com/a/b/issues/1"], [known])
    ]

    assert [result.exit_code for result in wrong] == [2, 2, 2, 2]
    assert f"forge pipeline show {known}" in wrong[3].stderr


def test_how_far_it_is_and_the_whole_question_are_shown(office: Office, terminal: Terminal) -> None:
    workspace = begun(office, "S")
    checkpoint = up_to(office, workspace, "checkpoint-a")

    lines = terminal.typed("pipeline", "show", workspace).stdout.splitlines()
    stands = json.loads(terminal.typed("pipeline", "show", workspace, "--json").stdout)

    assert lines[2] == (
        "✓ 1  – 2  ✓ 3  ✓ 3b  ▶ checkpoint-a  – 4  – 4b  – checkpoint-b  · 5  – 6  · 7"
        "  · final-verification  · pr-creation  · final-summary  · post-to-source  · final-commit"
    )
    assert lines[3] == "Design Checkpoint: awaiting_human; 30 tokens, about 0.00 USD so far"
    for line in checkpoint["present_to_user"].splitlines():
        assert f"  {line}".rstrip() in [one.rstrip() for one in lines]
    assert lines[-3:] == [f"forge pipeline answer {workspace} {one}" for one in checkpoint["options"]]
    assert stands["pendingAction"]["action_id"] == checkpoint["action_id"]


def test_who_works_and_how_it_ended_are_shown(office: Office, terminal: Terminal) -> None:
    workspace = begun(office)
    up_to(office, workspace, "phase-3")

    at_work = terminal.typed("pipeline", "show", workspace).stdout.splitlines()
    office.call("pipeline_abandon", {"workspace": workspace})
    given_up = terminal.typed("pipeline", "show", workspace).stdout.splitlines()

    assert at_work[-1] == "At work: architect: design.md"
    assert ("▶ 3  " in at_work[2], "✗ 3  " in given_up[2]) == (True, True)


def test_an_answer_goes_on_and_its_words_reach_the_next_agent(office: Office, terminal: Terminal) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")

    unclear = terminal.typed("pipeline", "answer", workspace, "perhaps")
    sent_back = terminal.typed("pipeline", "answer", workspace, "revise", "--feedback", "Use the queue.")
    nothing_asked = terminal.typed("pipeline", "answer", workspace, "proceed")

    assert (unclear.exit_code, sent_back.exit_code, nothing_asked.exit_code) == (2, 0, 2)
    assert "proceed, revise, abandon" in unclear.stderr
    assert "Use the queue." in ask(office, workspace)["prompt"]
    assert f"forge pipeline show {workspace}" in nothing_asked.stderr


def test_an_artifact_is_read_in_any_version_and_commands_no_terminal(
    office: Office, terminal: Terminal
) -> None:
    workspace = begun(office)
    for content in (EVIL, "## Second"):
        office.call(
            "pipeline_put_artifact", {"workspace": workspace, "name": "design.md", "content": content}
        )

    newest = terminal.typed("pipeline", "read", workspace, "design.md")
    oldest = terminal.typed("pipeline", "read", workspace, "design.md", "--version", "1")
    missing = terminal.typed("pipeline", "read", workspace, "tasks.md")

    assert newest.stdout == "## Second\n"
    assert not {letter for letter in oldest.stdout if not letter.isprintable()} - {"\n"}
    assert "[bold]now[/] :warning:" in oldest.stdout
    assert oldest.stdout.splitlines()[1].startswith("    Ship")
    assert (missing.exit_code, missing.stderr.startswith("not_found: ")) == (1, True)


def test_a_question_of_an_agents_making_passes_for_no_line_of_ours(
    office: Office, terminal: Terminal
) -> None:
    workspace = begun(office)
    up_to(office, workspace, "phase-4")
    tasks = "## Task 1: Merge\x1b[2J it\x07\nmode: human_gate\n"
    file = {"name": "tasks.md", "content": tasks}
    ask(office, workspace, previous_action_complete=True, artifacts=[file])

    shown = terminal.typed("pipeline", "show", workspace).stdout

    assert not {letter for letter in shown if not letter.isprintable()} - {"\n"}
    assert "  Task 1 needs a person: Merge" in shown


def test_each_phase_is_told_once_until_a_person_is_asked(
    office: Office, watch: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = begun(office)
    ask(office, workspace)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        """Nothing happens three times, then one thing after the other."""
        pauses.append(seconds)
        if len(pauses) > 3:
            done(office, workspace, ask(office, workspace))

    code = watch(workspace, pause)

    lines = capsys.readouterr().out.splitlines()
    told = [line.split(" UTC ")[1] for line in lines if " UTC " in line and not line.startswith("Effort")]
    assert (code, told) == (
        0,
        [
            "Phase 1: Situation Analysis",
            "Phase 2: Investigation",
            "Phase 3: Design",
            "Phase 3b: Design Review",
            "Design Checkpoint",
        ],
    )
    assert pauses[:5] == [1.0, 1.5, 2.25, 3.375, 1.0]
    assert lines[-3:] == [
        f"forge pipeline answer {workspace} {one}" for one in ("proceed", "revise", "abandon")
    ]


def test_however_long_it_takes_it_is_looked_at_every_quarter_of_a_minute(
    office: Office, watch: Callable[..., int]
) -> None:
    workspace = begun(office)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 12:
            raise KeyboardInterrupt

    assert watch(workspace, pause) == pipelines.STOPPED
    assert (pauses == sorted(pauses), pauses[-3:]) == (True, [15.0] * 3)


def test_who_watches_outlives_a_minute_in_which_nothing_is_answered(
    office: Office, watch: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = begun(office)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            while office.send("state_resume_info", {"workspace": workspace}).status == 200:
                pass
        else:
            office.world.clock.advance(minutes=2)
            office.call("pipeline_abandon", {"workspace": workspace})

    assert watch(workspace, pause) == 0
    assert pauses == [1.0, 15.0]
    assert "abandoned" in capsys.readouterr().out
