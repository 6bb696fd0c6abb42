"""Who works on a step, and who judges it."""

from forge.work.plans.goals.roles import judge_of, reviewer_of, worker_of
from forge.work.plans.plans import Step
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.crews.crews import CrewItem, joined
from tests.unit.work.plans.built import NOON, a_plan

STEP = Step(id="step_1", title="Do it")


def a_crew(*members: tuple[str, CrewRole]) -> CrewItem:
    crew = CrewItem(workspace_id="ws_1", id="crew_1", name="Importers", created_at=NOON, updated_at=NOON)
    for agent_id, role in members:
        crew = joined(crew, f"mbr_{agent_id}", agent_id, role).crew
    return crew


CREW = a_crew(
    ("archived", CrewRole.WORKER),
    ("first", CrewRole.WORKER),
    ("second", CrewRole.WORKER),
    ("judge", CrewRole.REVIEWER),
)


def is_there(agent_id: str) -> bool:
    return agent_id != "archived"


def test_the_first_worker_who_is_there_does_a_step_that_names_nobody() -> None:
    assert worker_of(STEP, CREW, is_there) == "first"
    assert worker_of(STEP, a_crew(), is_there) is None
    assert worker_of(STEP, CREW.changed(archived_at=NOON), is_there) is None


def test_a_step_says_who_does_it_by_name_by_role_or_that_a_person_does() -> None:
    by_name = STEP.model_copy(update={"assigned_agent_id": "second"})
    by_role = STEP.model_copy(update={"assigned_role": CrewRole.REVIEWER})
    by_person = STEP.model_copy(update={"assigned_user_id": "usr_1"})

    assert [worker_of(one, CREW, is_there) for one in (by_name, by_role, by_person)] == [
        "second",
        "judge",
        None,
    ]


def test_a_crews_reviewer_judges_unless_the_plan_leaves_it_to_people() -> None:
    assert judge_of(a_plan([]), STEP, CREW, is_there) == "judge"
    assert judge_of(a_plan([], auto_judge=False), STEP, CREW, is_there) is None
    assert judge_of(a_plan([]), STEP, None, is_there) is None


def test_who_did_a_step_judges_it_only_where_no_other_reviewer_is_there() -> None:
    own = STEP.model_copy(update={"assigned_agent_id": "first"})
    alone = a_crew(("first", CrewRole.REVIEWER), ("archived", CrewRole.REVIEWER))
    two = a_crew(("first", CrewRole.REVIEWER), ("judge", CrewRole.REVIEWER))

    assert [reviewer_of(own, crew, is_there) for crew in (alone, two)] == ["first", "judge"]
    assert reviewer_of(STEP, two, is_there) == "first"


def test_a_step_whose_agent_is_gone_is_for_whoever_has_its_role() -> None:
    left = STEP.model_copy(update={"assigned_agent_id": "archived"})

    assert worker_of(left, CREW, is_there) == "first"
    assert worker_of(left, None, is_there) is None
