"""A key narrowed to projects or labels is told of the issues it may see, and of nothing else."""

from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import IssueItem
from forge.work.record.log.kinds import EventKind
from tests.workshop.events import a_row, a_stored_issue, happened, told
from tests.workshop.office import Office


def test_a_project_or_a_label_is_enough(office: Office) -> None:
    a_stored_issue(office, "iss_project", project_id="prj_1")
    a_stored_issue(office, "iss_label", label_ids=["lab_1"])
    a_stored_issue(office, "iss_neither", project_id="prj_2", label_ids=["lab_2"])
    first, second, _ = happened(office, "iss_project", "iss_label", "iss_neither")

    assert told(office, office.a_narrowed_key(project_ids=["prj_1"], label_ids=["lab_1"])) == [second, first]


def test_what_is_about_no_issue_or_one_that_is_gone_is_not_told(office: Office) -> None:
    a_stored_issue(office, "iss_ours", project_id="prj_1")
    _, ours, _ = happened(office, None, "iss_ours", "iss_gone")

    assert told(office, office.a_narrowed_key(project_ids=["prj_1"])) == [ours]


def test_what_belongs_to_an_issue_is_told_like_the_issue(office: Office) -> None:
    a_stored_issue(office, "iss_ours", project_id="prj_1")
    a_stored_issue(office, "iss_theirs", project_id="prj_2")
    ours, theirs = (
        a_row(office, one, subject=("agent-run", f"run_{one}")) for one in ("iss_ours", "iss_theirs")
    )
    office.put(ours, theirs)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert told(office, key, subjectType="agent-run") == [ours.id]
    assert told(office, key, subjectType="agent-run", subjectId="run_iss_ours") == [ours.id]
    assert told(office, key, subjectType="agent-run", subjectId="run_iss_theirs") == []


def test_it_is_decided_by_where_the_issue_is_now(office: Office) -> None:
    a_stored_issue(office, "iss_1", project_id="prj_1")
    (event_id,) = happened(office, "iss_1")
    key = office.a_narrowed_key(project_ids=["prj_2"])
    assert told(office, key) == []

    tx = office.begin()
    tx.adjust(IssueItem.at(office.workspace.id, "iss_1"), assign={"project_id": "prj_2"})
    office.commit(tx)

    assert told(office, key) == [event_id]


def test_filters_are_joined_with_the_narrowing(office: Office) -> None:
    a_stored_issue(office, "iss_1", project_id="prj_1")
    created = a_row(office, "iss_1", kind=EventKind.ISSUE_CREATED)
    audited = a_row(office, "iss_1", kind=None)
    office.put(created, audited, a_row(office, "iss_1"))

    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert told(office, key, kinds=["ISSUE_CREATED"]) == [created.id]
    assert audited.id not in told(office, key)


def test_an_issue_can_be_named_by_its_identifier(office: Office) -> None:
    a_stored_issue(office, "iss_ours", project_id="prj_1")
    a_stored_issue(office, "iss_theirs", project_id="prj_2")
    office.put(
        *(
            ReferenceItem(workspace_id=office.workspace.id, name=number, issue_id=issue_id)
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


def test_only_issues_are_named_by_an_identifier(office: Office) -> None:
    office.put(ReferenceItem(workspace_id=office.workspace.id, name="12", issue_id="run_1"))
    office.put(a_row(office, "iss_1", subject=("agent-run", "run_1")))
    identifier = f"{office.workspace.key_prefix}-12"

    assert told(office, office.owner_key, subjectType="agent-run", subjectId=identifier) == []
