"""Many callers drive one pipeline at the same moment: each report counts once."""

import json
from typing import Any

from forge.wire.http import Response
from tests.integration.races.crowds import at_once
from tests.unit.pipeline.starts import ask, begun
from tests.workshop.office import Office

CALLERS = 10


def bodies(answers: list[Response], status: int) -> list[dict[str, Any]]:
    return [json.loads(answer.body) for answer in answers if answer.status == status]


def test_of_ten_who_report_one_action_one_is_counted_and_all_learn_what_is_due(office: Office) -> None:
    workspace = begun(office)
    first = ask(office, workspace)
    artifact = {"name": "analysis.md", "content": "What is there"}
    said = {
        "workspace": workspace,
        "previous_action_complete": True,
        "previous_action_id": first["action_id"],
        "previous_tokens": 7,
        "artifacts": [artifact],
    }

    answers = at_once(CALLERS, lambda _: office.send("pipeline_next_action", said))

    told, overtaken = bodies(answers, 200), bodies(answers, 409)
    assert len(told) + len(overtaken) == CALLERS
    assert {one["action_id"] for one in told} == {"act-2"}
    assert all(one["retryable"] for one in overtaken)
    assert all(one["details"]["current_action"]["action_id"] == "act-2" for one in overtaken)
    stands = office.call("state_resume_info", {"workspace": workspace})
    assert (stands["phaseLogEntries"], stands["totalTokens"]) == (1, 7)
    assert (
        office.call("pipeline_get_artifact", {"workspace": workspace, "name": "analysis.md"})["version"] == 1
    )


def test_who_was_overtaken_and_named_no_action_is_not_told_to_say_it_again(office: Office) -> None:
    workspace = begun(office)
    ask(office, workspace)
    artifact = {"name": "analysis.md", "content": "What is there"}
    said = {"workspace": workspace, "previous_action_complete": True, "artifacts": [artifact]}

    answers = at_once(CALLERS, lambda _: office.send("pipeline_next_action", said))

    # Whoever came later still reported what was due then, which has no artifact yet.
    assert {answer.status for answer in answers} <= {200, 409, 422}
    assert len(bodies(answers, 200)) == 1
    assert not any(one["retryable"] for one in bodies(answers, 409))


def test_of_ten_answers_to_one_checkpoint_one_is_taken(office: Office) -> None:
    workspace = begun(office)
    action = ask(office, workspace)
    for name, content in (("analysis.md", "x"), ("investigation.md", "x"), ("design.md", "## x")):
        file = [{"name": name, "content": content}]
        action = ask(office, workspace, previous_action_complete=True, artifacts=file)
    review = [{"name": "review-design.md", "content": "## Verdict: APPROVE"}]
    asked = ask(office, workspace, previous_action_complete=True, artifacts=review)
    assert (action["phase"], asked["name"]) == ("phase-3b", "checkpoint-a")
    said = {"workspace": workspace, "previous_action_id": asked["action_id"]}
    words = ["proceed", "revise"] * (CALLERS // 2)

    answers = at_once(
        CALLERS, lambda place: office.send("pipeline_next_action", {**said, "user_response": words[place]})
    )

    assert {answer.status for answer in answers} <= {200, 409}
    due = {one["action_id"] for one in bodies(answers, 200)}
    assert due == {"act-6"}
    (request,) = office.rows("actionRequests.list")
    assert request["status"] == "RESOLVED"
    assert office.call("state_resume_info", {"workspace": workspace})["phaseLogEntries"] == 5


def test_files_that_are_put_at_once_are_all_kept(office: Office) -> None:
    workspace = begun(office)

    at_once(
        CALLERS,
        lambda place: office.send(
            "pipeline_put_artifact", {"workspace": workspace, "name": "design.md", "content": f"## {place}"}
        ),
    )

    get = {"workspace": workspace, "name": "design.md"}
    kept = {office.call("pipeline_get_artifact", {**get, "version": one})["content"] for one in range(1, 11)}
    assert kept == {f"## {place}" for place in range(CALLERS)}
