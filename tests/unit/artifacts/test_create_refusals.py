"""Who may make an artifact, for which issue, and how many; what can not be made is refused."""

from tests.workshop.artifacts import A_REPORT, a_full_issue, an_artifact, links
from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Office


def test_an_issue_has_only_so_many(office: Office) -> None:
    nearly, full = a_full_issue(office, but=1), a_full_issue(office)

    an_artifact(office, issueId=nearly)
    logged = office.log()

    for issue_id in (nearly, full):
        refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id})

        assert refused == (422, "precondition_failed", set())
    assert office.log() == logged


def test_of_two_who_add_the_last_one_at_once_one_is_refused(office: Office) -> None:
    issue_id = a_full_issue(office, but=1)
    office.meanwhile(lambda: an_artifact(office, issueId=issue_id))

    refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id})

    assert refused == (422, "precondition_failed", set())
    assert len(links(office, issue_id)) == 1


def test_a_narrowed_key_makes_only_what_it_will_see(office: Office) -> None:
    project_id = a_project(office)
    ours, theirs = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    for more in ({"issueId": theirs}, {}):
        assert office.refused("artifacts.create", A_REPORT | more, key=key) == (403, "forbidden", set())
    assert an_artifact(office, key=key, issueId=ours)["issueId"] == ours
