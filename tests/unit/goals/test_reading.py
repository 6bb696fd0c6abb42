"""A goal is shown with its attempts, and however long its description is, all of it can be read."""

import json

from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_a_goal_shows_every_attempt_and_the_steps_of_the_one_that_counts(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    first, _ = loop.plan(a_step("Old"))
    second, (step_id, _) = loop.running(a_step("Design schema"), a_step("Migrate", 0))

    goal = loop.goal()

    assert [(one["id"], one["isActiveAttempt"]) for one in goal["plans"]] == [(second, True), (first, False)]
    assert [one.get("steps", []) for one in goal["plans"]][1] == []
    assert goal["plans"][0]["steps"][1]["dependsOnStepIds"] == [step_id]
    assert goal["aggregate"] == {"activePlanId": second, "totalSteps": 2, "doneSteps": 0, "blockedSteps": 0}
    assert [one["role"] for one in goal["crew"]["members"]] == ["PLANNER", "WORKER", "REVIEWER"]
    assert (goal["issue"]["id"], goal["_count"]) == (loop.issue_id, {"plans": 2})


def test_a_long_description_is_read_to_its_end(office: Office) -> None:
    # Each of these takes two characters of an answer.
    whole = "".join(f'"{number}"\n' for number in range(9_000))[:50_000]
    made = office.call("goals.create", {"title": "Ship it", "description": whole})

    parts = [office.call("goals.get", made)]
    while "nextDescriptionOffset" in parts[-1]:
        offset = parts[-1]["nextDescriptionOffset"]
        parts.append(office.call("goals.get", {**made, "descriptionOffset": offset}))

    assert "".join(one["description"] for one in parts) == whole
    assert len(parts) > 1
    assert max(len(json.dumps(one, separators=(",", ":"))) for one in parts) <= MAX_ANSWER
    assert office.refused("goals.get", {**made, "descriptionOffset": 50_000}) == (
        400,
        "invalid_input",
        {"descriptionOffset"},
    )


def test_goals_are_listed_by_their_last_change_and_filtered_by_status(office: Office) -> None:
    loop = a_loop(office)
    office.world.clock.advance(minutes=1)
    later = office.call("goals.create", {"title": "Another"})["id"]
    office.world.clock.advance(minutes=1)
    loop.plan(a_step())

    page = office.call("goals.list", {"limit": 1})
    rest = office.rows("goals.list", {"limit": 1, "cursor": page["nextCursor"]})

    assert [(one["id"], one["_count"]) for one in page["data"]] == [(loop.goal_id, {"plans": 1})]
    assert [one["id"] for one in rest] == [later]
    assert [one["id"] for one in office.rows("goals.list", {"status": "OPEN"})] == [later]
