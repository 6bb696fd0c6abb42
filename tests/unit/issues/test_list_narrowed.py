"""issues.list: whatever a narrowed key filters by, it never sees more than it may."""

import pytest

from tests.workshop.issues import a_project, an_issue, chained, ids, listed, relay
from tests.workshop.office import Body, Office

ORDERS = ("priority", "createdAt", "updatedAt", "identifier", "title")


def test_a_key_narrowed_to_a_project_sees_no_other_by_asking_for_it(office: Office) -> None:
    inside, outside = a_project(office), a_project(office, "OTHER")
    seen, _, _ = (
        an_issue(office, projectId=inside),
        an_issue(office, projectId=outside),
        an_issue(office),
    )
    key = office.a_narrowed_key(project_ids=[inside])

    assert listed(office, key=key) == {seen}
    assert listed(office, {"projectId": outside}, key=key) == set()
    assert listed(office, {"projectIds": [outside]}, key=key) == set()
    assert listed(office, {"projectIds": [inside, outside]}, key=key) == {seen}


def test_a_key_narrowed_to_a_label_sees_no_other_by_asking_for_it(office: Office) -> None:
    inside, outside = office.a_label("in")["id"], office.a_label("out")["id"]
    seen = an_issue(office, labelIds=[inside])
    both = an_issue(office, labelIds=[inside, outside])
    an_issue(office, labelIds=[outside])
    an_issue(office)
    key = office.a_narrowed_key(label_ids=[inside])

    assert listed(office, key=key) == {seen, both}
    assert listed(office, {"labelIds": [outside]}, key=key) == {both}
    assert listed(office, {"labelIds": [inside, outside]}, key=key) == {seen, both}


def test_a_key_narrowed_to_both_sees_either(office: Office) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    by_project, by_label = an_issue(office, projectId=project_id), an_issue(office, labelIds=[label_id])
    an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id], label_ids=[label_id])

    assert listed(office, key=key) == {by_project, by_label}
    assert listed(office, {"projectId": project_id}, key=key) == {by_project}
    assert listed(office, {"labelIds": [label_id]}, key=key) == {by_label}
    assert listed(office, {"projectId": project_id, "labelIds": [label_id]}, key=key) == set()


@pytest.mark.parametrize(
    "filters",
    [
        {"includeDone": True},
        {"statusCategories": ["BACKLOG", "DONE"]},
        {"withoutCycle": True},
        {"withoutInitiative": True},
        {"query": "login"},
        *({"orderBy": order} for order in ORDERS),
    ],
)
@pytest.mark.parametrize("by", ["project_ids", "label_ids"])
def test_no_filter_widens_what_a_key_sees(office: Office, by: str, filters: Body) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    seen = an_issue(office, projectId=project_id, labelIds=[label_id])
    an_issue(office)
    an_issue(office, projectId=a_project(office, "OTHER"), labelIds=[office.a_label("other")["id"]])
    key = office.a_narrowed_key(**{by: [project_id if by == "project_ids" else label_id]})

    assert listed(office, filters, key=key) == {seen}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("by", ["project_ids", "label_ids"])
def test_a_narrowed_key_gets_full_pages_of_what_it_sees(office: Office, by: str, order: str) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    seen = set()
    for _ in range(5):
        seen.add(an_issue(office, projectId=project_id, labelIds=[label_id]))
        an_issue(office)
    key = office.a_narrowed_key(**{by: [project_id if by == "project_ids" else label_id]})

    found = chained(office, "issues.list", {"limit": 2, "orderBy": order}, key=key)

    assert (len(found), set(found)) == (5, seen)


def test_a_query_finds_only_what_the_key_may_see(office: Office) -> None:
    project_id = a_project(office)
    seen = an_issue(office, "Login hangs", projectId=project_id, description="quixotic")
    an_issue(office, "Login fails", description="quixotic")
    relay(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    for query in ("login", "quixotic", "log"):
        assert ids(office.rows("issues.list", {"query": query}, key=key)) == [seen]
