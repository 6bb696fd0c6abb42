"""Steps are added to a draft all together or not at all, however many they are and whoever comes between."""

from tests.workshop.office import Body, Office
from tests.workshop.plans import Loop, a_loop, a_step

MANY = 100
"""More than one transaction holds."""


def add(loop: Loop, plan_id: str, *steps: Body) -> list[str]:
    added: list[str] = loop.office.call("plans.addSteps", {"planId": plan_id, "steps": [*steps]})["stepIds"]
    return added


def a_draft(loop: Loop) -> str:
    return str(loop.office.call("plans.decompose", {"goalId": loop.goal_id})["planId"])


def all_steps(office: Office, plan_id: str) -> list[Body]:
    page = office.call("executionPlans.get", {"id": plan_id})
    found: list[Body] = page["steps"]
    while "nextOffset" in page:
        page = office.call("executionPlans.get", {"id": plan_id, "offset": page["nextOffset"]})
        found += page["steps"]
    return found


def test_the_contracts_example_adds_steps_in_their_order(office: Office) -> None:
    loop = a_loop(office)
    plan_id = a_draft(loop)

    ids = add(
        loop,
        plan_id,
        {"title": "Design schema", "expectedOutput": "schema.sql"},
        {"title": "Write migration", "dependsOnStepIndexes": [0]},
    )
    more = add(loop, plan_id, a_step("Test", verification=[{"label": "It passes"}]), a_step("Ship", 0))

    steps = all_steps(office, plan_id)
    assert [one["id"] for one in steps] == [*ids, *more]
    assert [one.get("dependsOnStepIds", []) for one in steps] == [[], [ids[0]], [], [more[0]]]
    assert (steps[0]["expectedOutput"], steps[2]["verification"][0]["label"]) == ("schema.sql", "It passes")
    assert [one["stepCount"] for one in loop.told("ISSUE_UPDATED") if "stepCount" in one] == [2, 2]


def test_a_hundred_steps_that_somebody_else_overtakes_are_added_behind_theirs(office: Office) -> None:
    loop = a_loop(office)
    plan_id = a_draft(loop)

    office.meanwhile(lambda: add(loop, plan_id, a_step("Theirs")))
    mine = add(loop, plan_id, *[a_step(f"Mine {one}", *range(min(one, 1))) for one in range(MANY)])

    steps = all_steps(office, plan_id)
    assert [one["title"] for one in steps] == ["Theirs", *(f"Mine {one}" for one in range(MANY))]
    assert steps[-1]["dependsOnStepIds"] == [mine[0]]


def test_a_hundred_steps_for_a_plan_that_begins_meanwhile_are_refused_and_none_is_there(
    office: Office,
) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    batch = {"planId": plan_id, "steps": [a_step(body="Look.") for _ in range(MANY)]}

    office.meanwhile(lambda: office.call("plans.activate", {"planId": plan_id}))
    refused = office.refused("plans.addSteps", batch)

    assert refused[:2] == (409, "conflict")
    assert loop.steps(plan_id) == ["READY"]


def test_a_wrong_index_a_stranger_or_a_plan_that_is_full_is_refused_with_nothing_added(
    office: Office, other_office: Office
) -> None:
    loop = a_loop(office)
    plan_id = a_draft(loop)
    stranger = other_office.an_agent()["id"]

    def refused(*steps: Body) -> tuple[int, set[str]]:
        status, _, fields = office.refused("plans.addSteps", {"planId": plan_id, "steps": [*steps]})
        return status, fields

    wrong = {f"steps.{place}.dependsOnStepIndexes" for place in (0, 2)}
    assert refused(a_step("A", 1), a_step("B", 0), a_step("C", 2, 7)) == (400, wrong)
    assert refused(a_step(assignedAgentId=stranger)) == (400, {"steps.0.assignedAgentId"})
    assert refused(*[a_step("x" * 300) for _ in range(MANY)], a_step()) == (400, {"steps"})
    for _ in range(3):
        add(loop, plan_id, *[a_step() for _ in range(MANY)])
    assert refused(a_step())[0] == 422
    assert len(all_steps(office, plan_id)) == 3 * MANY
