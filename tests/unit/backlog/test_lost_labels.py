"""People may delete or rename the labels that backlogs know; the next who needs one makes it again."""

from itertools import count

import pytest

from tests.workshop.backlog import Session, a_repository, backlog, filed, labels_of
from tests.workshop.office import Office

_NUMBERS = count(1)
STATUSES = ("backlog", "in-progress", "in-review", "blocked")


def lose_labels(office: Office, how: str) -> None:
    for status in STATUSES:
        label = {"id": f"status:{status}"}
        if how == "deleted":
            office.call("labels.delete", label)
        else:
            office.call("labels.update", {**label, "name": f"{status} no. {next(_NUMBERS)}"})


@pytest.mark.parametrize("how", ["deleted", "renamed"])
def test_an_issue_goes_its_way_whatever_became_of_the_labels(office: Office, how: str) -> None:
    a_repository(office)
    number = filed(office)
    session, other = Session(office, "a"), Session(office, "b")

    def then(status: str) -> None:
        (row,) = backlog(office)
        assert row["status"] == status
        assert f"status:{status}" in labels_of(office, number)
        lose_labels(office, how)

    lose_labels(office, how)
    assert session.taken() == number
    then("in-progress")
    assert session.advance(number, "pr", skipJustification="It is urgent.")["success"] is True
    then("in-review")
    assert other.force(number)["success"] is True
    then("in-review")
    assert other.release(number, "abandoned")["success"] is True
    then("backlog")


def test_the_sweep_gives_back_what_has_no_label_to_say_so(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    lose_labels(office, "deleted")
    office.world.clock.advance(minutes=31)

    # The first makes the label, the next finds it.
    office.sweep()
    office.sweep()

    assert "status:backlog" in labels_of(office, number)
    assert session.status() == []
    assert session.taken() == number


def test_a_label_that_people_made_before_is_the_one_that_backlogs_use(office: Office) -> None:
    made = office.call("labels.create", {"name": "Type:Bug", "color": "#aabbcc"})

    a_repository(office)

    alike = [one for one in office.rows("labels.list") if one["name"].lower() == "type:bug"]
    assert [one["id"] for one in alike] == [made["id"]]
    assert "Type:Bug" in labels_of(office, filed(office, type="bug"))
