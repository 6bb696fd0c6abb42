"""An initiative is changed in place, and only real changes are told."""

from tests.workshop.office import Office
from tests.workshop.projects import a_project


def test_what_is_given_changes_what_is_cleared_goes_and_both_are_told(office: Office) -> None:
    initiative = office.an_initiative(description="Why.", color="#dc2626")
    a_project(office, initiativeId=initiative["id"])
    office.world.clock.advance(minutes=1)

    changed = office.call(
        "initiatives.update",
        {"id": "growth", "name": "More", "status": "ACTIVE", "clear": ["description"]},
    )

    now = office.world.clock().isoformat().replace("+00:00", "Z")
    told = {"name": "More", "status": "ACTIVE", "description": None}
    assert changed == {**initiative, **told, "projectCount": 1, "updatedAt": now}
    row = office.log()[-1]
    assert (row.kind, row.subject_type, row.action) == ("PROJECT_UPDATED", "initiative", "update")
    assert row.payload == told
    assert office.call("initiatives.get", {"id": "growth"})["name"] == "More"


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    initiative = office.an_initiative(color="#dc2626")
    logged = office.log()

    same = {"name": " Growth ", "color": "#DC2626", "status": "PLANNED", "clear": ["targetDate"]}

    assert office.call("initiatives.update", {"id": initiative["id"], **same}) == initiative
    assert office.log() == logged


def test_two_changes_at_once_are_both_kept(office: Office) -> None:
    office.an_initiative()
    rename = {"id": "growth", "name": "More"}
    office.meanwhile(lambda: office.call("initiatives.update", rename))

    changed = office.call("initiatives.update", {"id": "growth", "status": "COMPLETED"})

    assert (changed["name"], changed["status"]) == ("More", "COMPLETED")


def test_what_is_narrowed_away_or_not_here_stays(office: Office, other_office: Office) -> None:
    mine, other = (office.an_initiative()["id"] for _ in range(2))
    foreign = other_office.an_initiative()["id"]
    narrowed = office.a_narrowed_key(initiative_ids=[mine])

    for initiative_id, status in ((other, 403), (foreign, 404), ("ini_999999", 404)):
        change = {"id": initiative_id, "name": "Stolen"}
        assert office.refused("initiatives.update", change, key=narrowed)[0] == status
    assert other_office.rows("initiatives.list")[0]["name"] == "Growth"
