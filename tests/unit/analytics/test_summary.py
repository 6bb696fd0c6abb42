"""The summary says what the issues say, for as much of the workspace as the key may see."""

from forge.store.walks import MAX_READ
from forge.work.issues import counts
from forge.work.issues.counts import Breach
from forge.work.issues.issues import IssueItem
from tests.workshop.issues import a_project, an_issue, head, move, status_id, stored_issues
from tests.workshop.office import Body, Office

NO_BREACHES = {"sla": 0, "stalled": 0, "noack": 0}


def summary(office: Office, key: str | None = None) -> Body:
    return office.call("analytics.summary", key=key or office.owner_key)


def breach(office: Office, issue: IssueItem, kind: Breach) -> None:
    tx = office.begin()
    counts.record_breach(tx, issue, kind)
    office.commit(tx)


def test_figures_follow_the_issues_and_the_days(office: Office) -> None:
    for category in ("TODO", "IN_REVIEW", "CANCELED", "DONE"):
        move(office, an_issue(office), category)
    done = an_issue(office)
    office.world.clock.advance(days=7)
    move(office, done, "DONE")
    breach(office, head(office, done), Breach.STALLED)

    shown = summary(office)

    assert (shown["openIssues"], shown["doneIssues"]) == (2, 2)
    assert shown["throughput"] == {"last7Days": 1, "last30Days": 2}
    assert shown["breaches"] == {**NO_BREACHES, "stalled": 1}
    by_status = {row["statusId"]: row["count"] for row in shown["byStatus"]}
    assert by_status[status_id(office, "CANCELED")] == 1
    office.world.clock.advance(days=29)
    assert summary(office)["throughput"] == {"last7Days": 0, "last30Days": 1}


def test_a_key_narrowed_to_projects_gets_the_sum_of_these(office: Office) -> None:
    first, second, other = (a_project(office, key) for key in ("ONE", "TWO", "OTHER"))
    for project in (first, second, other, None):
        issue_id = an_issue(office, projectId=project)
        move(office, issue_id, "DONE")
        breach(office, head(office, issue_id), Breach.SLA)
    an_issue(office, projectId=second)

    shown = summary(office, office.a_narrowed_key(project_ids=[first, second]))

    assert (shown["openIssues"], shown["doneIssues"]) == (1, 2)
    assert shown["throughput"] == {"last7Days": 2, "last30Days": 2}
    assert shown["breaches"] == {**NO_BREACHES, "sla": 2}


def test_a_key_narrowed_to_labels_counts_what_it_sees_and_knows_of_no_breaches(office: Office) -> None:
    label = office.a_label()["id"]
    project = a_project(office)
    for more in ({"labelIds": [label]}, {"projectId": project}, {}):
        move(office, an_issue(office, **more), "DONE")
    an_issue(office, labelIds=[label])

    by_label = summary(office, office.a_narrowed_key(label_ids=[label]))
    by_both = summary(office, office.a_narrowed_key(label_ids=[label], project_ids=[project]))

    assert [(shown["openIssues"], shown["doneIssues"]) for shown in (by_label, by_both)] == [(1, 1), (1, 2)]
    assert (by_label["throughput"]["last7Days"], by_label["breaches"]) == (1, None)
    assert "truncated" not in by_label


def test_more_issues_than_are_looked_at_are_not_passed_off_as_all(office: Office) -> None:
    label = office.a_label()["id"]
    status = office.workspace.default_status
    of_status = {"status_id": status.id, "category": status.category}
    stored_issues(office, MAX_READ + 1, label_ids=frozenset({label}), **of_status)

    shown = summary(office, office.a_narrowed_key(label_ids=[label]))

    assert (shown["openIssues"], shown["truncated"]) == (MAX_READ, True)
