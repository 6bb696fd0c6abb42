"""An issue that was moved to another project under its lock: whoever gives that back gives back all of it."""

import pytest

from tests.workshop.backlog import Session, a_repository, filed, identifier, labels_of
from tests.workshop.office import Body, Office


def shown(office: Office, number: int) -> Body:
    return office.call("issues.get", {"id": identifier(office, number)})


def moved(office: Office, number: int, project_id: str) -> None:
    office.call("issues.update", {"id": identifier(office, number), "projectId": project_id})


@pytest.mark.parametrize(
    ("reason", "label"),
    [("abandoned", {"bug", "backlog"}), ("merged", {"bug"}), ("completed", {"bug", "in-review"})],
)
def test_its_claim_and_label_go_with_the_lock(office: Office, reason: str, label: set[str]) -> None:
    a_repository(office)
    elsewhere = office.call("projects.create", {"name": "Elsewhere", "key": "ELSE"})["id"]
    number, session = filed(office), Session(office, "one")
    session.taken()
    moved(office, number, elsewhere)

    assert session.release(number, reason)["success"]

    assert shown(office, number)["claimedAt"] is None
    assert {name.removeprefix("status:").removeprefix("type:") for name in labels_of(office, number)} == label


def test_the_sweep_gives_it_back_too(office: Office) -> None:
    a_repository(office)
    elsewhere = office.call("projects.create", {"name": "Elsewhere", "key": "ELSE"})["id"]
    number = filed(office)
    Session(office, "one").taken()
    moved(office, number, elsewhere)

    office.world.clock.advance(minutes=31)
    office.sweep()

    assert shown(office, number)["claimedAt"] is None


@pytest.mark.parametrize("is_back", [False, True])
def test_a_lock_that_somebody_took_elsewhere_stays(office: Office, *, is_back: bool) -> None:
    first = a_repository(office)
    second = a_repository(office, "demo/other", default=False)
    number = filed(office)
    late, next_one = Session(office, "late"), Session(office, "next")
    late.taken()
    moved(office, number, second["projectId"])
    office.world.clock.advance(minutes=31)
    assert next_one.taken(repository="demo/other") == number
    before = shown(office, number)
    if is_back:
        moved(office, number, first["projectId"])

    late.release(number, "abandoned")

    after = shown(office, number)
    assert after["claimedAt"] == before["claimedAt"] is not None
    assert {one["id"] for one in after["labels"]} == {one["id"] for one in before["labels"]}
