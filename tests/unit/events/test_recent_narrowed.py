"""A key narrowed to projects or labels is told of the issues it may see, and of nothing else."""

from collections.abc import Iterable

import pytest

from forge.context import Role
from forge.store import issue_keys
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.pages import MAX_READ
from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.events import EventKind, LogItem
from forge.work.members import MemberItem
from tests.unit.office import Body, Office


class Head(Item):
    """As much of an issue as a narrowed key is decided by."""

    workspace_id: str
    id: str
    project_id: str | None = None
    label_ids: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        return issue_keys.head(self.workspace_id, self.id)


class Reference(Item):
    workspace_id: str
    number: str
    issue_id: str

    @property
    def key(self) -> Key:
        return issue_keys.reference(self.workspace_id, self.number)


def an_issue(
    office: Office, issue_id: str, *, project_id: str | None = None, label_ids: Iterable[str] = ()
) -> str:
    office.put(
        Head(
            workspace_id=office.workspace.id,
            id=issue_id,
            project_id=project_id,
            label_ids=frozenset(label_ids),
        )
    )
    return issue_id


def a_row(
    office: Office,
    issue_id: str | None,
    *,
    subject: tuple[str, str] | None = None,
    actor_user_id: str | None = None,
    kind: EventKind | None = EventKind.ISSUE_UPDATED,
) -> LogItem:
    """A row that is about an issue, or none; its subject is the issue, unless another is given."""
    subject_type, subject_id = subject or ("issue", issue_id or "iss_none")
    return LogItem(
        workspace_id=office.workspace.id,
        id=office.world.ids("evt"),
        kind=kind,
        subject_type=subject_type,
        subject_id=subject_id,
        action="update",
        tool="issues.update",
        actor_user_id=actor_user_id,
        key_id="key_1",
        request_id="req_1",
        issue_id=issue_id,
        created_at=office.world.clock(),
    )


def happened(office: Office, *issue_ids: str | None) -> list[str]:
    """One event about each, oldest first."""
    rows = [a_row(office, issue_id) for issue_id in issue_ids]
    office.put(*rows)
    return [row.id for row in rows]


def told(office: Office, key: str, **arguments: object) -> list[str]:
    return [row["id"] for row in office.rows("events.recent", arguments, key=key)]


def pages(office: Office, key: str, **arguments: object) -> list[Body]:
    """Every page until there is no next one."""
    found: list[Body] = []
    cursor = None
    while not found or cursor is not None:
        found.append(office.call("events.recent", {**arguments, "cursor": cursor}, key=key))
        cursor = found[-1].get("nextCursor")
    return found


def ids_in(page: Body) -> list[str]:
    return [row["id"] for row in page["data"]]


def test_events_of_its_projects_are_told(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    an_issue(office, "iss_theirs", project_id="prj_2")
    an_issue(office, "iss_loose")
    ours, _, _, again = happened(office, "iss_ours", "iss_theirs", "iss_loose", "iss_ours")

    assert told(office, office.a_narrowed_key(project_ids=["prj_1"])) == [again, ours]


def test_events_of_its_labels_are_told(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_2", label_ids=["lab_1", "lab_9"])
    an_issue(office, "iss_theirs", project_id="prj_2", label_ids=["lab_2"])
    ours, _ = happened(office, "iss_ours", "iss_theirs")

    assert told(office, office.a_narrowed_key(label_ids=["lab_1"])) == [ours]


def test_a_project_or_a_label_is_enough(office: Office) -> None:
    an_issue(office, "iss_project", project_id="prj_1")
    an_issue(office, "iss_label", label_ids=["lab_1"])
    an_issue(office, "iss_neither", project_id="prj_2", label_ids=["lab_2"])
    first, second, _ = happened(office, "iss_project", "iss_label", "iss_neither")

    assert told(office, office.a_narrowed_key(project_ids=["prj_1"], label_ids=["lab_1"])) == [second, first]


def test_what_is_about_no_issue_or_one_that_is_gone_is_not_told(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    _, ours, _ = happened(office, None, "iss_ours", "iss_gone")

    assert told(office, office.a_narrowed_key(project_ids=["prj_1"])) == [ours]


def test_what_belongs_to_an_issue_is_told_like_the_issue(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    an_issue(office, "iss_theirs", project_id="prj_2")
    ours, theirs = (a_row(office, one, subject=("run", f"run_{one}")) for one in ("iss_ours", "iss_theirs"))
    office.put(ours, theirs)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert told(office, key, subjectType="run") == [ours.id]
    assert told(office, key, subjectType="run", subjectId="run_iss_ours") == [ours.id]
    assert told(office, key, subjectType="run", subjectId="run_iss_theirs") == []


def test_it_is_decided_by_where_the_issue_is_now(office: Office) -> None:
    an_issue(office, "iss_1", project_id="prj_1")
    (event_id,) = happened(office, "iss_1")
    key = office.a_narrowed_key(project_ids=["prj_2"])
    assert told(office, key) == []

    tx = office.begin()
    tx.adjust(issue_keys.head(office.workspace.id, "iss_1"), assign={"project_id": "prj_2"})
    office.commit(tx)

    assert told(office, key) == [event_id]


def test_filters_are_joined_with_the_narrowing(office: Office) -> None:
    an_issue(office, "iss_1", project_id="prj_1")
    created = a_row(office, "iss_1", kind=EventKind.ISSUE_CREATED)
    audited = a_row(office, "iss_1", kind=None)
    office.put(created, audited, a_row(office, "iss_1"))

    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert told(office, key, kinds=["ISSUE_CREATED"]) == [created.id]
    assert audited.id not in told(office, key)


def test_an_issue_that_was_asked_for_is_told_if_it_is_allowed(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    an_issue(office, "iss_also_ours", project_id="prj_1")
    ours, _ = happened(office, "iss_ours", "iss_also_ours")

    found = told(
        office, office.a_narrowed_key(project_ids=["prj_1"]), subjectType="issue", subjectId="iss_ours"
    )

    assert found == [ours]


def test_an_issue_that_was_asked_for_and_is_not_allowed_is_refused(office: Office) -> None:
    an_issue(office, "iss_theirs", project_id="prj_2")
    an_issue(office, "iss_quiet", project_id="prj_2")
    happened(office, "iss_theirs")
    key = office.a_narrowed_key(project_ids=["prj_1"])

    for issue_id in ("iss_theirs", "iss_quiet"):
        refused = office.refused("events.recent", {"subjectType": "issue", "subjectId": issue_id}, key=key)
        assert refused == (403, "forbidden", set())


def test_an_unknown_issue_has_no_events(office: Office, other_office: Office) -> None:
    an_issue(other_office, "iss_elsewhere", project_id="prj_1")
    happened(other_office, "iss_elsewhere")
    key = office.a_narrowed_key(project_ids=["prj_1"])

    for issue_id in ("iss_unknown", "iss_elsewhere", "NONE-1"):
        about_it = {"subjectType": "issue", "subjectId": issue_id}
        assert office.call("events.recent", about_it, key=key) == {"data": []}


def test_an_issue_can_be_named_by_its_identifier(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    an_issue(office, "iss_theirs", project_id="prj_2")
    office.put(
        *(
            Reference(workspace_id=office.workspace.id, number=number, issue_id=issue_id)
            for number, issue_id in (("12", "iss_ours"), ("13", "iss_theirs"))
        )
    )
    ours, theirs = happened(office, "iss_ours", "iss_theirs")
    key, prefix = office.a_narrowed_key(project_ids=["prj_1"]), office.workspace.key_prefix

    for identifier in (f"{prefix}-12", f"{prefix.lower()}-12"):
        assert told(office, key, subjectType="issue", subjectId=identifier) == [ours]
    assert told(office, office.owner_key, subjectType="issue", subjectId=f"{prefix}-13") == [theirs]
    refused = office.refused("events.recent", {"subjectType": "issue", "subjectId": f"{prefix}-13"}, key=key)
    assert refused == (403, "forbidden", set())


def test_an_identifier_of_another_workspace_is_nobodys(office: Office) -> None:
    office.put(Reference(workspace_id=office.workspace.id, number="12", issue_id="iss_ours"))
    happened(office, "iss_ours")

    for identifier in ("OTHER-12", f"{office.workspace.key_prefix}-99"):
        assert told(office, office.owner_key, subjectType="issue", subjectId=identifier) == []


def test_only_issues_are_named_by_an_identifier(office: Office) -> None:
    office.put(Reference(workspace_id=office.workspace.id, number="12", issue_id="run_1"))
    office.put(a_row(office, "iss_1", subject=("run", "run_1")))
    identifier = f"{office.workspace.key_prefix}-12"

    assert told(office, office.owner_key, subjectType="run", subjectId=identifier) == []


def test_pages_neither_repeat_nor_lose_an_event(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    an_issue(office, "iss_theirs", project_id="prj_2")
    ids = happened(office, *["iss_ours", "iss_theirs", None] * 5)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    found = pages(office, key, limit=2)

    assert [ids_in(page) for page in found] == [[ids[12], ids[9]], [ids[6], ids[3]], [ids[0]]]
    assert all("truncated" not in page for page in found)


def test_pages_of_one_subject_neither_repeat_nor_lose_an_event(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    ids = happened(office, *["iss_ours"] * 5)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    found = pages(office, key, limit=2, subjectType="issue", subjectId="iss_ours")

    assert [event_id for page in found for event_id in ids_in(page)] == ids[::-1]


@pytest.mark.parametrize("limit", [1, 7, 200])
def test_a_page_ends_where_one_request_can_not_read_the_issues(office: Office, limit: int) -> None:
    issue_ids = [f"iss_{number:03}" for number in range(230)]
    for number, issue_id in enumerate(issue_ids):
        an_issue(office, issue_id, project_id="prj_1" if number % 50 == 0 else "prj_2")
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
    assert len(first["data"]) == 100
    assert (first["truncated"], "truncated" in second) == (True, False)
    assert all(
        row["actor"]["name"] == f"Name of {row['actorId']}"
        for page in (first, second)
        for row in page["data"]
    )


def test_a_page_cut_by_the_bound_on_reading_goes_on(office: Office) -> None:
    an_issue(office, "iss_ours", project_id="prj_1")
    an_issue(office, "iss_theirs", project_id="prj_2")
    (ours,) = happened(office, "iss_ours")
    office.world.clock.advance(seconds=1)
    happened(office, *["iss_theirs"] * MAX_READ)

    first, second = pages(office, office.a_narrowed_key(project_ids=["prj_1"]))

    assert (first["data"], first["truncated"]) == ([], True)
    assert ids_in(second) == [ours]


def test_a_page_of_a_narrowed_key_is_two_requests(store: Store) -> None:
    counter = Counter()
    office = Office(World(store=watched(store, counter)))
    issue_ids = [f"iss_{number:03}" for number in range(150)]
    for issue_id in issue_ids:
        an_issue(office, issue_id, project_id="prj_1")
    happened(office, *issue_ids)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    for arguments in ({"limit": 200}, {"subjectType": "issue", "subjectId": "iss_000"}):
        counter.reset()
        office.call("events.recent", arguments, key=key)
        assert counter.reads <= 2
