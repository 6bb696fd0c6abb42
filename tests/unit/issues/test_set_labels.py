"""issues.setLabels: labels are added and removed, counted, and told of when something changed."""

from typing import Any

from forge.work.issues.issues import MAX_LABELS
from tests.workshop.issues import a_project, an_issue, head
from tests.workshop.office import Body, Office


def set_labels(office: Office, issue_id: str, *, key: str | None = None, **lists: Any) -> Body:
    return office.call("issues.setLabels", {"issueId": issue_id, **lists}, key=key or office.owner_key)


def labels(office: Office, *names: str) -> list[str]:
    return [str(office.a_label(name)["id"]) for name in names]


def label_counts(office: Office) -> dict[str, int]:
    return {row["name"]: row["issueCount"] for row in office.rows("labels.list")}


def test_labels_are_added_and_removed_at_once(office: Office) -> None:
    old, new, kept = labels(office, "old", "new", "kept")
    issue_id = an_issue(office, labelIds=[old, kept])

    answer = set_labels(office, issue_id, add=[new], remove=[old])

    assert (answer["added"], answer["removed"]) == ([new], [old])
    assert [one["name"] for one in answer["issue"]["labels"]] == ["kept", "new"]
    assert head(office, issue_id).label_ids == {new, kept}


def test_each_change_is_counted_once(office: Office) -> None:
    old, new = labels(office, "old", "new")
    issue_id = an_issue(office, labelIds=[old])

    set_labels(office, issue_id, add=[new, new], remove=[old])
    set_labels(office, issue_id, add=[new], remove=[old])

    assert label_counts(office) == {"old": 0, "new": 1}


def test_an_issue_has_so_many_labels_at_most(office: Office) -> None:
    many = labels(office, *(f"label {place}" for place in range(MAX_LABELS + 1)))
    issue_id = an_issue(office, labelIds=many[:MAX_LABELS])
    wanted = {"issueId": issue_id, "add": [many[-1]]}

    assert office.refused("issues.setLabels", wanted)[:2] == (422, "precondition_failed")

    answer = set_labels(office, issue_id, add=[many[-1]], remove=[many[0]])
    assert len(answer["issue"]["labels"]) == MAX_LABELS


def test_all_of_them_can_be_changed_in_one_call(office: Office) -> None:
    old = labels(office, *(f"old {place}" for place in range(MAX_LABELS)))
    new = labels(office, *(f"new {place}" for place in range(MAX_LABELS)))
    issue_id = an_issue(office, labelIds=old)

    answer = set_labels(office, issue_id, add=new, remove=old)

    assert (set(answer["added"]), set(answer["removed"])) == (set(new), set(old))
    assert label_counts(office) == {
        **{f"old {place}": 0 for place in range(MAX_LABELS)},
        **{f"new {place}": 1 for place in range(MAX_LABELS)},
    }


def test_a_key_narrowed_to_labels_does_not_lose_sight_of_an_issue(office: Office) -> None:
    inside, outside = labels(office, "inside", "outside")
    issue_id = an_issue(office, labelIds=[inside])
    key = office.a_narrowed_key(label_ids=[inside])

    assert set_labels(office, issue_id, add=[outside], key=key)["added"] == [outside]

    wanted = {"issueId": issue_id, "remove": [inside]}
    assert office.refused("issues.setLabels", wanted, key=key)[:2] == (403, "forbidden")
    assert head(office, issue_id).label_ids == {inside, outside}


def test_a_narrowed_key_does_not_get_sight_of_an_issue_by_labelling_it(office: Office) -> None:
    (inside,) = labels(office, "inside")
    issue_id, key = an_issue(office), office.a_narrowed_key(label_ids=[inside])

    wanted = {"issueId": issue_id, "add": [inside]}

    assert office.refused("issues.setLabels", wanted, key=key)[:2] == (403, "forbidden")
    assert head(office, issue_id).label_ids == set()


def test_a_key_that_sees_the_project_may_remove_any_label(office: Office) -> None:
    (label_id,) = labels(office, "bug")
    project_id = a_project(office)
    issue_id = an_issue(office, projectId=project_id, labelIds=[label_id])
    key = office.a_narrowed_key(project_ids=[project_id], label_ids=[label_id])

    assert set_labels(office, issue_id, remove=[label_id], key=key)["removed"] == [label_id]
