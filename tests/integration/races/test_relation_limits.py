"""An issue blocks at most twenty others, however many come at once."""

from forge.store.store import Store
from forge.testing.world import World
from tests.integration.races.crowds import at_once
from tests.workshop.issues import head, issues
from tests.workshop.office import Office
from tests.workshop.relations import relate


def test_the_twenty_first_is_refused_to_all_but_one_who_come_at_once(store: Store) -> None:
    office = Office(World(store=store))
    blocker, *others = issues(office, 24)
    for blocked in others[:19]:
        relate(office, blocker, "BLOCKS", blocked)

    def block(place: int) -> int:
        relation = {"fromIssueId": blocker, "toIssueId": others[19 + place], "kind": "BLOCKS"}
        return office.send("relations.add", relation).status

    outcomes = at_once(4, block)

    assert sorted(outcomes) == [200, 422, 422, 422]
    assert len(head(office, blocker).blocks) == 20
