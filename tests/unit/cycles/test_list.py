"""cycles.list: every cycle with how many issues it has, by when it starts."""

from datetime import timedelta

from tests.workshop.cycles import a_cycle, activate, add
from tests.workshop.issues import ids, issues, now
from tests.workshop.office import Office


def three(office: Office) -> list[str]:
    """Made in another order than that in which they start."""
    starts = [(now(office) + timedelta(days=day)).isoformat() for day in (7, 0, 14)]
    return [a_cycle(office, f"Sprint {place}", startsAt=start) for place, start in enumerate(starts)]


def test_the_one_that_starts_last_comes_first_and_each_has_its_count(office: Office) -> None:
    second, first, third = three(office)
    add(office, first, *issues(office, 2))

    rows = office.rows("cycles.list")

    assert [(row["id"], row["issueCount"]) for row in rows] == [(third, 0), (second, 0), (first, 2)]


def test_one_status_alone(office: Office) -> None:
    second, first, third = three(office)
    activate(office, first)

    assert ids(office.rows("cycles.list", {"status": "ACTIVE"})) == [first]
    assert ids(office.rows("cycles.list", {"status": "PLANNED"})) == [third, second]
    assert office.rows("cycles.list", {"status": "CANCELED"}) == []
