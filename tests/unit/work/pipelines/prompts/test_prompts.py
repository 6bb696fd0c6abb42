"""What an agent is told, and what goes first when there is no room for it."""

from pathlib import Path

import pytest

from forge.work.pipelines.learning.patterns import FindingSeverity
from forge.work.pipelines.prompts.instructions import AGENTS, instructions_of
from forge.work.pipelines.prompts.prompts import (
    ANY_TASK,
    MOST_TOKENS,
    Knowledge,
    Spawn,
    TaskBrief,
    assemble,
    for_any_task,
    for_task,
    tokens_in,
)
from tests.unit.work.pipelines.prompts.pasts import EVERYTHING, a_pattern, a_point, a_similar, a_spawn

GOLDEN = Path(__file__).parent / "golden"

A_TASK = TaskBrief("2", "Purge after the expiry", ["src/sessions/purge.py"])
HISTORY = {
    "architect": a_spawn("architect", "request.md", "analysis.md", output="design.md"),
    "task-decomposer": a_spawn("task-decomposer", "design.md", output="tasks.md"),
    "implementer": a_spawn("implementer", "tasks.md", "design.md", output="impl-2.md", task=A_TASK),
    "impl-reviewer": a_spawn("impl-reviewer", "impl-2.md", "tasks.md", output="review-2.md", task=A_TASK),
}


def headings(text: str) -> list[str]:
    """Those of the layers after the instructions."""
    told = text[text.index("\n## Input Files\n") :]
    return [line for line in told.splitlines() if line.startswith("## ")]


def lines_under(heading: str, text: str) -> list[str]:
    _, _, after = text.partition(f"{heading}\n\n")
    return after.partition("\n\n")[0].splitlines()


@pytest.mark.parametrize("agent", HISTORY)
def test_the_prompt_of_an_agent_that_knows_the_past_is_this(agent: str, pytestconfig: pytest.Config) -> None:
    """After its instructions, which have a file of their own; `--record` writes it anew."""
    golden = GOLDEN / f"{agent}.md"

    prompt = assemble(HISTORY[agent], EVERYTHING, "Keep it small.")

    told = prompt.text[prompt.text.index("\n## Input Files\n") + 1 :]
    if pytestconfig.getoption("--record"):
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")
    assert prompt.warnings == []


@pytest.mark.parametrize("agent", sorted(set(AGENTS) - HISTORY.keys()))
def test_every_other_agent_is_told_of_the_repository_and_nothing_of_the_past(agent: str) -> None:
    prompt = assemble(a_spawn(agent, "request.md", output="analysis.md"), EVERYTHING)

    assert headings(prompt.text) == ["## Input Files", "## Output File", "## Repository Context"]


def test_what_is_not_known_has_no_heading() -> None:
    prompt = assemble(HISTORY["architect"], Knowledge(), "  ")

    assert headings(prompt.text) == ["## Input Files", "## Output File"]


@pytest.mark.parametrize("agent", AGENTS)
def test_no_place_is_left_empty_where_there_is_one_task(agent: str) -> None:
    prompt = assemble(a_spawn(agent, "tasks.md", output="impl-7.md"), Knowledge())

    for place in ("{workspace}", "{branch}", "{spec-name}", "{N}"):
        assert place not in prompt.text
    assert ".specs/20261117-session-expiry" in prompt.text
    assert "feature/session-expiry" in prompt.text


def test_each_of_several_agents_is_told_its_own_number_and_task() -> None:
    prompt = assemble(a_spawn("implementer", "tasks.md", output=f"impl-{ANY_TASK}.md"), Knowledge()).text

    own = for_task(prompt, A_TASK)

    assert "You implement task 2 of" in own
    assert "/impl-2.md" in own
    assert "Task 2: Purge after the expiry. It is about src/sessions/purge.py." in own
    assert "impl-<task>.md" in for_any_task(prompt)
    for text in (own, for_any_task(prompt)):
        assert "{N}" not in text
        assert ANY_TASK not in text


def test_agents_have_their_files_on_the_server_unless_they_share_a_disk() -> None:
    spawn = a_spawn("architect", "request.md", output="design.md")

    remote, local = (
        assemble(spawn._replace(is_on_disk=is_on_disk), Knowledge()).text for is_on_disk in (False, True)
    )

    assert "`pipeline_put_artifact {" in remote
    assert "pipeline_" not in local


def test_the_summary_is_left_in_the_checkout_too_for_the_last_commit() -> None:
    spawn = a_spawn("verifier", "request.md", output="summary.md")

    assert "/summary.md` in the checkout, too" in assemble(spawn, Knowledge()).text


def test_what_is_filled_in_is_never_taken_for_a_place() -> None:
    spawn = a_spawn("architect", output="design.md")._replace(spec_name="{branch}", branch="{workspace}")

    prompt = assemble(spawn, Knowledge())

    assert (
        "change `{branch}` (workspace `.specs/20261117-session-expiry`, branch `{workspace}`)" in prompt.text
    )


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("review-design.md", "APPROVE, APPROVE_WITH_NOTES or REVISE"),
        ("review-tasks.md", "APPROVE, APPROVE_WITH_NOTES or REVISE"),
        ("review-12.md", "PASS, PASS_WITH_NOTES or FAIL"),
    ],
)
def test_a_reviewer_is_told_the_form_of_its_verdict(output: str, verdict: str) -> None:
    text = assemble(a_spawn("design-reviewer", "design.md", output=output), Knowledge()).text

    (line,) = [line for line in text.splitlines() if "`## Verdict: <verdict>`" in line]
    assert verdict in line


def test_an_agent_without_instructions_gets_a_short_default_and_the_caller_a_warning() -> None:
    prompt = assemble(a_spawn("../architect", "request.md", output="x.md"), EVERYTHING)

    assert prompt.text.startswith("You are the ../architect")
    assert len(prompt.warnings) == 1


def test_the_architect_is_not_told_again_what_the_review_at_hand_says() -> None:
    spawn = a_spawn("architect", output="design.md", findings=("purging  has NO bound",))

    text = assemble(spawn, EVERYTHING).text

    assert lines_under("## Past Review Patterns", text) == [
        '- CRITICAL: "Session expiry has no migration" (seen once, design-reviewer)'
    ]


def told_to_reviewer(task: TaskBrief | None) -> list[str]:
    patterns = [
        a_pattern("Purging has no bound"),
        a_pattern("sessions are never closed", FindingSeverity.MINOR),
        a_pattern("missing code in the file", FindingSeverity.MINOR),
    ]
    spawn = a_spawn("impl-reviewer", output="review-2.md", task=task)
    return lines_under("## Past Review Patterns", assemble(spawn, Knowledge(patterns=patterns)).text)


def test_a_reviewer_of_one_task_is_told_what_shares_a_word_with_it() -> None:
    assert told_to_reviewer(TaskBrief("2", "Close them", ["src/sessions/a.py"])) == [
        '- MINOR: "sessions are never closed" (seen once, design-reviewer)'
    ]


def test_a_reviewer_of_several_tasks_or_of_one_without_words_is_told_everything() -> None:
    assert len(told_to_reviewer(None)) == 3
    assert len(told_to_reviewer(TaskBrief("2", "Add missing file", []))) == 3


def test_at_most_twenty_patterns_and_ten_points_are_told_the_weightiest_first() -> None:
    many = Knowledge(
        patterns=[a_pattern(f"finding {number}", frequency=number) for number in range(1, 31)],
        friction=[a_point(f"point {number}", frequency=number) for number in range(1, 31)],
    )

    text = assemble(a_spawn("implementer", output="impl-1.md"), many).text

    patterns = lines_under("## Past Review Patterns", text)
    assert (len(patterns), patterns[0]) == (20, '- CRITICAL: "finding 30" (seen 30 times, design-reviewer)')
    points = lines_under("## AI Friction Points", text)
    assert (len(points), points[0]) == (10, "- documentation: point 30")


def sizes(spawn: Spawn, knowledge: Knowledge, feedback: str) -> tuple[int, int, int, bool, int]:
    text = assemble(spawn, knowledge, feedback).text
    return (
        len(lines_under("## AI Friction Points", text)),
        len(lines_under("## Similar Past Pipelines", text)),
        len(lines_under("## Past Review Patterns", text)),
        "## Repository Context" in text,
        tokens_in(text),
    )


def test_friction_goes_first_then_what_was_similar_then_patterns_then_the_repository() -> None:
    """Less and less room, for an agent that is told of both patterns and one of the others."""
    room = 4 * MOST_TOKENS
    decomposer, implementer = HISTORY["task-decomposer"], HISTORY["implementer"]
    past = Knowledge(
        profile=EVERYTHING.profile,
        similar=[a_similar(f"spec-{number}", line="x" * 150) for number in range(3)],
        patterns=[a_pattern(f"{number} " + "y" * 200) for number in range(5)],
        friction=[a_point(f"{number} " + "z" * 150) for number in range(4)],
    )

    for spawn, place in ((implementer, 0), (decomposer, 1)):
        without = len(assemble(spawn, Knowledge(), "f").text.encode())
        seen = [
            sizes(spawn, past, "f" * most) for most in range(room - without - 4_000, room - without + 80, 40)
        ]

        first = [one[place] for one in seen]
        assert all(tokens <= MOST_TOKENS for *_, tokens in seen[:-2])
        assert first[0] == (4, 3)[place]
        assert first == sorted(first, reverse=True)
        assert set(first) == set(range(first[0] + 1)), "one at a time"
        assert all(one[2] == 5 for one in seen if one[place]), "patterns stay as long as those are there"
        assert all(one[3] for one in seen if one[2]), "the repository stays as long as patterns do"
        assert {one[2] for one in seen} == set(range(6))
        assert seen[-1] == (0, 0, 0, False, seen[-1][4])


def test_what_a_person_said_and_the_files_stay_whatever_they_take() -> None:
    prompt = assemble(HISTORY["architect"], EVERYTHING, "w" * 5 * MOST_TOKENS)

    assert headings(prompt.text) == ["## Input Files", "## Output File", "## Human Feedback"]


def test_tokens_are_a_quarter_of_the_bytes_rounded_up() -> None:
    assert [tokens_in(text) for text in ("", "a", "abcd", "abcde", "認証")] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("agent", AGENTS)
def test_instructions_leave_most_of_the_room_to_the_rest(agent: str) -> None:
    text = instructions_of(agent)

    assert text is not None
    assert 40 <= len(text.splitlines()) <= 90
    assert tokens_in(text) < MOST_TOKENS / 4
