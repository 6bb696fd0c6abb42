"""A relation that must not be is refused with the reason, and nothing of it is stored."""

import pytest

from forge.testing.world import World
from forge.work.issues.relations.relations import MAX_RELATIONS
from tests.workshop.issues import an_issue, delete, issues
from tests.workshop.office import Office
from tests.workshop.relations import KINDS, relate, relating, rows_of, stored_relations

every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_an_issue_is_not_related_to_itself(lasting_world: World, kind: str) -> None:
    office = Office(lasting_world)
    issue_id = an_issue(office)
    identifier = office.call("issues.get", {"id": issue_id})["identifier"]

    for other in (issue_id, identifier):
        refused = office.refused("relations.add", relating(issue_id, kind, other))
        assert refused == (400, "invalid_input", {"toIssueId"})
    assert rows_of(office, issue_id) == []


def test_a_deleted_issue_is_unknown(office: Office) -> None:
    kept, deleted = issues(office, 2)
    delete(office, deleted)

    assert office.refused("relations.add", relating(deleted, "BLOCKS", kept))[0] == 404
    assert office.refused("relations.add", relating(kept, "BLOCKS", deleted))[0] == 400


@every_kind
def test_a_narrowed_key_relates_only_what_it_may_see(office: Office, kind: str) -> None:
    label = office.a_label()["id"]
    key = office.a_narrowed_key(label_ids=[label])
    hidden, (seen, also_seen) = an_issue(office), [an_issue(office, labelIds=[label]) for _ in range(2)]

    for ends in ((seen, kind, hidden), (hidden, kind, seen)):
        assert office.refused("relations.add", relating(*ends), key=key) == (403, "forbidden", set())
    assert rows_of(office, hidden) == []
    assert relate(office, seen, kind, also_seen, key=key)["relation"]["kind"] == kind


@pytest.mark.parametrize("place", [0, 1], ids=["the subject", "the other"])
def test_an_issue_has_at_most_sixty_relations(office: Office, place: int) -> None:
    ends = issues(office, 2)
    third = an_issue(office)
    stored_relations(office, ends[place], MAX_RELATIONS - 1)
    relate(office, *((ends[0], "RELATES_TO", third) if place == 0 else (third, "RELATES_TO", ends[1])))

    for kind in KINDS:
        refused = office.refused("relations.add", relating(ends[0], kind, ends[1]))
        assert refused == (422, "precondition_failed", set())
    assert len(rows_of(office, ends[place])) == MAX_RELATIONS == 60
    assert rows_of(office, ends[1 - place]) == []


def test_a_full_issue_still_answers_for_what_it_has(office: Office) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, "RELATES_TO", second)
    stored_relations(office, first, MAX_RELATIONS - 1)

    assert relate(office, first, "RELATES_TO", second) == made
