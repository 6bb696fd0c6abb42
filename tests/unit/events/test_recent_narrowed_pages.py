"""Pages of events for a narrowed key: nothing is lost, nothing is doubled, and each costs two requests."""

import pytest

from forge.context import Role
from forge.store.walks import MAX_READ
from forge.work.workspace.people.members import MemberItem
from tests.workshop.events import a_row, a_stored_issue, happened, pages
from tests.workshop.office import Office, ids_in


def test_pages_neither_repeat_nor_lose_an_event(office: Office) -> None:
    a_stored_issue(office, "iss_ours", project_id="prj_1")
    a_stored_issue(office, "iss_theirs", project_id="prj_2")
    ids = happened(office, *["iss_ours", "iss_theirs", None] * 5)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    found = pages(office, key, limit=2)

    assert [ids_in(page) for page in found] == [[ids[12], ids[9]], [ids[6], ids[3]], [ids[0]]]
    assert all("truncated" not in page for page in found)


@pytest.mark.parametrize("limit", [1, 7, 200])
def test_a_page_ends_where_one_request_can_not_read_the_issues(office: Office, limit: int) -> None:
    issue_ids = [f"iss_{number:03}" for number in range(230)]
    for number, issue_id in enumerate(issue_ids):
        a_stored_issue(office, issue_id, project_id="prj_1" if number % 50 == 0 else "prj_2")
    ids = happened(office, *issue_ids)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    found = pages(office, key, limit=limit)

    assert [event_id for page in found for event_id in ids_in(page)] == ids[::50][::-1]
    assert all(page.get("truncated", False) for page in found[:-1] if len(page["data"]) < limit)
    assert "truncated" not in found[-1]


def test_a_page_ends_where_one_request_can_not_read_the_names(office: Office) -> None:
    people = [f"usr_{number:03}" for number in range(150)]
    office.put(
        *(
            MemberItem(
                workspace_id=office.workspace.id,
                user_id=user_id,
                email=f"{user_id}@example.com",
                role=Role.MEMBER,
                name=f"Name of {user_id}",
                created_at=office.world.clock(),
            )
            for user_id in people
        )
    )
    rows = [a_row(office, None, actor_user_id=user_id) for user_id in people]
    office.put(*rows)

    first, second = pages(office, office.owner_key, limit=200)

    assert ids_in(first) + ids_in(second) == [row.id for row in rows][::-1]
    # Besides the names, two places tell whether the reader wants to hear of this kind.
    assert len(first["data"]) == 98
    assert (first["truncated"], "truncated" in second) == (True, False)
    assert all(
        row["actor"]["name"] == f"Name of {row['actor']['id']}"
        for page in (first, second)
        for row in page["data"]
    )


def test_a_page_cut_by_the_bound_on_reading_goes_on(office: Office) -> None:
    a_stored_issue(office, "iss_ours", project_id="prj_1")
    a_stored_issue(office, "iss_theirs", project_id="prj_2")
    (ours,) = happened(office, "iss_ours")
    office.world.clock.advance(seconds=1)
    happened(office, *["iss_theirs"] * MAX_READ)

    first, second = pages(office, office.a_narrowed_key(project_ids=["prj_1"]))

    assert (first["data"], first["truncated"]) == ([], True)
    assert ids_in(second) == [ours]


def test_a_page_of_a_narrowed_key_is_two_requests(office: Office) -> None:
    counter = office.counted()
    issue_ids = [f"iss_{number:03}" for number in range(150)]
    for issue_id in issue_ids:
        a_stored_issue(office, issue_id, project_id="prj_1")
    happened(office, *issue_ids)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    for arguments in ({"limit": 200}, {"subjectType": "issue", "subjectId": "iss_000"}):
        counter.reset()
        office.call("events.recent", arguments, key=key)
        assert counter.reads <= 2
