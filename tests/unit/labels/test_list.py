"""Every label is listed by name, with how many issues carry it."""

from forge.work.workspace.labels import LabelCountItem
from tests.workshop.office import Office


def label_issues(office: Office, label_id: str, *, number: int) -> None:
    """Count issues as carrying the label, the way labelling does."""
    tx = office.begin()
    tx.adjust(LabelCountItem.at(office.workspace.id, label_id), add={"issue_count": number})
    office.commit(tx)


def test_labels_are_sorted_by_name_whatever_the_case(office: Office) -> None:
    for name in ("beta", "Alpha", "gamma", "Beta 2", "alpha 0"):
        office.a_label(name)

    names = [row["name"] for row in office.rows("labels.list")]

    assert names == ["Alpha", "alpha 0", "beta", "Beta 2", "gamma"]


def test_the_count_survives_a_rename(office: Office) -> None:
    label = office.a_label("bug")
    label_issues(office, label["id"], number=2)

    renamed = office.call("labels.update", {"id": label["id"], "name": "defect"})

    assert renamed["issueCount"] == 2
    assert office.rows("labels.list") == [renamed]


def test_a_key_narrowed_to_a_label_still_sees_the_catalogue(office: Office) -> None:
    labels = [office.a_label(name) for name in ("bug", "chore")]
    narrowed = office.a_narrowed_key(label_ids=[labels[0]["id"]])

    assert office.rows("labels.list", key=narrowed) == labels
