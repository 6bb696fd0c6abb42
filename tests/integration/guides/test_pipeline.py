"""The orchestrator of the guide takes pipelines of every effort to their end, however often it is killed."""

from threading import Barrier, Event

import pytest

from tests.integration.guides.hosts import (
    APPROVE,
    FAIL,
    PASS,
    REVISE,
    Door,
    Killed,
    Script,
    orchestrator,
)
from tests.workshop.office import Body, Office

SMALL = [
    *("analysis.md", "design.md", "review-design.md", "impl-1.md", "comprehensive-review.md"),
    *("final-verification.md", "summary.md"),
]
TWO_AND_ONE = (
    "## Task 1: Parser\nmode: parallel\nfiles:\n- a.py\n\n"
    "## Task 2: Printer\nmode: parallel\nfiles:\n- b.py\n\n"
    "## Task 3: Join\ndepends_on: [1, 2]\n"
)
GATED = (
    "## Task 1: Parser\n\n## Task 2: Merge the upstream change\nmode: human_gate\ndepends_on: [1]\n\n"
    "## Task 3: Join\ndepends_on: [2]\n"
)
URL = "https://github.com/owner/repo/issues/42"


def begun(office: Office, script: Script, typed: str) -> str:
    return str(orchestrator.begin(Door(office), script.host(), typed, "main"))


def driven(office: Office, script: Script, workspace: str) -> Body:
    ended: Body = orchestrator.drive(Door(office), script.host(), workspace)
    return ended


def stands(office: Office, workspace: str) -> Body:
    return office.call("state_resume_info", {"workspace": workspace})


def test_a_small_pipeline_comes_to_its_end(office: Office) -> None:
    script = Script()
    workspace = begun(office, script, "Add a login page --effort=S --nopr")

    ended = driven(office, script, workspace)

    assert ended["summary"].startswith("Pipeline completed")
    assert script.wrote == SMALL
    assert script.asked == ["checkpoint-a"]
    assert script.disk["design.md"] == "## What is in design.md\n"
    assert stands(office, workspace)["totalTokens"] == 100 * len(SMALL)
    assert ["git checkout" in command[2] for command in script.ran] == [True]


def test_a_medium_one_is_revised_fails_a_review_and_has_tasks_done_side_by_side(office: Office) -> None:
    together = Barrier(2)
    side_by_side = dict.fromkeys(["impl-1.md", "impl-2.md"], lambda: together.wait(30))
    script = Script(
        texts={
            "review-design.md": [REVISE, APPROVE],
            "tasks.md": [TWO_AND_ONE],
            "review-2.md": [FAIL, PASS],
        },
        answers={"effort": [("M", "")]},
        before=side_by_side,
    )
    workspace = begun(office, script, "Add a login page")
    # The retry of the second task has nobody beside it.
    script.before["review-2.md"] = lambda: script.before.pop("impl-2.md", None)

    ended = driven(office, script, workspace)

    order = script.wrote
    assert order[:4] == ["analysis.md", "investigation.md", "design.md", "review-design.md"]
    assert order[4:6] == ["design.md", "review-design.md"]
    assert {*order[7:9]} == {"impl-1.md", "impl-2.md"}
    assert order[9] == "impl-3.md"
    assert {*order[10:13]} == {"review-1.md", "review-2.md", "review-3.md"}
    assert order[13:15] == ["impl-2.md", "review-2.md"]
    assert (
        "No error handling" in script.disk["review-design.md"] or "APPROVE" in script.disk["review-design.md"]
    )
    assert [command[:2] for command in script.ran[1:]] == [
        ["sh", "-c"],
        ["git", "push"],
        ["gh", "pr"],
        ["sh", "-c"],
    ]
    assert ended["summary_path"] == f"{workspace}/summary.md"
    assert stands(office, workspace)["revisions"]["designRevisions"] == 1
    assert stands(office, workspace)["tasksWithRetries"] == [
        {"task": "2", "implRetries": 1, "reviewRetries": 1}
    ]


def test_a_large_one_from_github_waits_at_a_gate_and_posts_what_came_of_it(office: Office) -> None:
    script = Script(
        texts={"tasks.md": [GATED]},
        answers={"effort": [("L", "")], "checkpoint-b": [("revise", "Join first."), ("proceed", "")]},
        issue={"title": "Fix auth timeout", "body": "After 30 s", "labels": [{"name": "bug"}]},
    )
    workspace = begun(office, script, URL)

    ended = driven(office, script, workspace)

    assert workspace.endswith("-42-fix-auth-timeout")
    assert script.asked[1:] == ["checkpoint-a", "checkpoint-b", "checkpoint-b", "2", "post-to-source"]
    assert "Join first." in script.prompts["tasks.md"][1]
    assert [file for file in script.wrote if file.startswith("impl-")] == ["impl-1.md", "impl-3.md"]
    (made,) = [command for command in script.ran if command[:3] == ["gh", "pr", "create"]]
    assert "Closes #42" in made[-1]
    assert ["gh", "issue", "comment", URL, "--body-file", f"{workspace}/summary.md"] in script.ran
    assert (ended["type"], script.disk["summary.md"]) == ("done", "## What is in summary.md\n")


@pytest.mark.parametrize("is_made", [True, False], ids=["after", "before"])
def test_killed_at_any_change_and_started_again_it_ends_the_same(office: Office, *, is_made: bool) -> None:
    plain = Script()
    first, whole = begun(office, plain, "Add a login page --effort=S --nopr"), Door(office)
    orchestrator.drive(whole, plain.host(), first)
    expected = stands(office, first)

    for last in range(1, whole.changes + 1):
        office.world.clock.advance(minutes=2)
        script = Script()
        workspace = begun(office, script, "Add a login page --effort=S --nopr")
        with pytest.raises(Killed):
            orchestrator.drive(Door(office, last=last, is_made=is_made), script.host(), workspace)
        driven(office, script, workspace)

        kept = office.rows("pipeline_list_artifacts", {"workspace": workspace})
        counted = ("phaseLogEntries", "totalTokens", "completedPhases", "currentPhaseStatus")
        assert [stands(office, workspace)[name] for name in counted] == [expected[name] for name in counted]
        assert {row["version"] for row in kept} == {1}
        assert len(script.wrote) <= len(SMALL) + (not is_made)


def test_what_one_of_several_agents_wrote_is_not_written_again(office: Office) -> None:
    is_one_kept, door = Event(), Door(office)

    def call(tool: str, arguments: Body) -> Body:
        answer = door(tool, arguments)
        if tool == "pipeline_put_artifact":
            is_one_kept.set()
        return answer

    def dies() -> None:
        assert is_one_kept.wait(30)
        del script.before["impl-2.md"]
        raise Killed

    script = Script(texts={"tasks.md": [TWO_AND_ONE]}, answers={"effort": [("M", "")]})
    workspace = begun(office, script, "Add a login page --nopr")
    script.before["impl-2.md"] = dies

    with pytest.raises(Killed):
        orchestrator.drive(call, script.host(), workspace)
    ended = driven(office, script, workspace)

    assert ended["type"] == "done"
    assert sorted(file for file in script.wrote if file.startswith("impl-")) == [
        "impl-1.md",
        "impl-2.md",
        "impl-3.md",
    ]


def test_an_agent_whose_result_is_refused_is_told_why_and_tries_again(office: Office) -> None:
    script = Script(texts={"review-design.md": ["Looks good.", APPROVE]})

    ended = driven(office, script, begun(office, script, "Add a login page --effort=S --nopr"))

    assert ended["type"] == "done"
    assert "was refused: review-design.md must hold" in script.prompts["review-design.md"][1]


def test_a_command_that_fails_ends_the_run_and_is_due_when_it_is_started_again(office: Office) -> None:
    script = Script(fails={"git push": "no such remote"})
    workspace = begun(office, script, "Add a login page --effort=S")

    with pytest.raises(SystemExit):
        driven(office, script, workspace)
    failed = stands(office, workspace)
    script.fails.clear()
    ended = driven(office, script, workspace)

    assert (failed["error"]["message"], failed["currentPhase"]) == ("no such remote", "pr-creation")
    assert (ended["type"], script.wrote) == ("done", SMALL)


def test_what_is_discussed_first_is_part_of_the_request(office: Office) -> None:
    script = Script(answers={"discussion": [("answer", "OAuth only")], "effort": [("S", "")]})

    workspace = begun(office, script, "Add a login page --discuss")

    request = office.call("pipeline_get_artifact", {"workspace": workspace, "name": "request.md"})
    assert request["content"].endswith("Add a login page\n\n## Discussion Answers\n\nOAuth only\n")


def test_what_an_agent_puts_on_the_server_itself_is_not_overwritten_with_its_answer(office: Office) -> None:
    script = Script(texts={"design.md": ["I am done."]})
    workspace = begun(office, script, "Add a login page --effort=S --nopr")
    own = {"workspace": workspace, "name": "design.md", "content": "## By its own hand\n"}
    script.before["design.md"] = lambda: office.call("pipeline_put_artifact", own)

    driven(office, script, workspace)

    kept = office.call("pipeline_get_artifact", {"workspace": workspace, "name": "design.md"})
    assert (kept["content"], kept["version"]) == ("## By its own hand\n", 1)


def test_what_another_host_has_done_meanwhile_is_neither_done_nor_counted_again(office: Office) -> None:
    other, script = Script(fails={"git push": "no such remote"}), Script()
    workspace = begun(office, script, "Add a login page --effort=S")

    def overtake() -> None:
        """While the first agent works, somebody else takes the pipeline up to a command that fails."""
        with pytest.raises(SystemExit):
            driven(office, other, workspace)

    script.before["analysis.md"] = overtake

    ended = driven(office, script, workspace)

    assert [*other.wrote, *script.wrote[1:]] == SMALL
    assert ["git", "push", "-u", "origin", "HEAD"] in script.ran
    assert (ended["type"], stands(office, workspace)["totalTokens"]) == ("done", 100 * len(SMALL))


def test_a_question_can_be_answered_elsewhere(office: Office) -> None:
    naps = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        (asked,) = office.rows("actionRequests.list", {"status": "OPEN"})
        office.call("actionRequests.accept", {"id": asked["id"]})

    script = Script(answers={"checkpoint-a": [("", "")]}, sleep=sleep)

    ended = driven(office, script, begun(office, script, "Add a login page --effort=S --nopr"))

    assert (ended["type"], len(naps)) == ("done", 1)


def test_agents_side_by_side_are_told_why_their_results_were_refused(office: Office) -> None:
    script = Script(
        texts={"tasks.md": [TWO_AND_ONE], "review-1.md": ["Fine.", PASS], "review-2.md": ["Fine.", PASS]},
        answers={"effort": [("M", "")]},
    )
    workspace = begun(office, script, "Add a login page --nopr")

    driven(office, script, workspace)

    again = script.prompts["review-1.md"] + script.prompts["review-2.md"]
    assert any("What you handed in before was refused: review-" in prompt for prompt in again)
