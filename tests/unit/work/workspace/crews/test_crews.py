"""Who is in a crew, in which role and in which order."""

from datetime import UTC, datetime

import pytest

from forge.errors import Conflict, NotFound, PreconditionFailed
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.crews.crews import MOST_MEMBERS, CrewItem, in_another_role, joined, left_by

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
WORKER, REVIEWER = CrewRole.WORKER, CrewRole.REVIEWER


def a_crew(*members: tuple[str, CrewRole]) -> CrewItem:
    crew = CrewItem(workspace_id="ws_1", id="crew_1", name="Importers", created_at=NOON, updated_at=NOON)
    for place, (agent_id, role) in enumerate(members):
        crew = joined(crew, f"mbr_{place}", agent_id, role).crew
    return crew


def test_who_joins_stands_behind_all_others_even_where_somebody_left() -> None:
    crew = left_by(a_crew(("agt_1", WORKER), ("agt_2", WORKER), ("agt_3", WORKER)), "mbr_1")

    after, member = joined(crew, "mbr_9", "agt_4", WORKER)

    assert [(one.id, one.position) for one in after.members] == [("mbr_0", 0), ("mbr_2", 2), ("mbr_9", 3)]
    assert member.id == "mbr_9"


def test_an_agent_has_a_role_once_and_may_have_several() -> None:
    crew = a_crew(("agt_1", WORKER))

    again = joined(crew, "mbr_9", "agt_1", WORKER)
    besides = joined(crew, "mbr_9", "agt_1", REVIEWER)

    assert again.crew is crew
    assert again.member.id == "mbr_0"
    assert [one.role for one in besides.crew.members] == [WORKER, REVIEWER]


def test_a_crew_is_full_at_some_point() -> None:
    crew = a_crew(*((f"agt_{number}", WORKER) for number in range(MOST_MEMBERS)))

    assert joined(crew, "mbr_x", "agt_0", WORKER).crew is crew
    with pytest.raises(PreconditionFailed):
        joined(crew, "mbr_x", "agt_x", WORKER)


def test_a_member_changes_its_role_in_its_place() -> None:
    crew = in_another_role(a_crew(("agt_1", WORKER), ("agt_2", WORKER)), "mbr_0", REVIEWER)

    assert [(one.id, one.role, one.position) for one in crew.members] == [
        ("mbr_0", REVIEWER, 0),
        ("mbr_1", WORKER, 1),
    ]
    assert in_another_role(crew, "mbr_0", REVIEWER) == crew


def test_a_role_that_the_agent_has_by_another_membership_is_a_conflict() -> None:
    crew = a_crew(("agt_1", WORKER), ("agt_1", REVIEWER))

    with pytest.raises(Conflict):
        in_another_role(crew, "mbr_0", REVIEWER)


def test_who_is_no_member_can_neither_leave_nor_change() -> None:
    with pytest.raises(NotFound):
        left_by(a_crew(), "mbr_0")
    with pytest.raises(NotFound):
        in_another_role(a_crew(), "mbr_0", WORKER)
