"""A relation that must not be is refused with the reason, and nothing of it is stored."""

import pytest

from forge.testing.world import World
from forge.work.issues.relations.relations import MAX_RELATIONS
from tests.unit.office import Office
from tests.unit.relations.webs import (
    KINDS,
    an_issue,
    delete,
    head,
    issues,
    relate,
    relating,
    rows_of,
    stored_relations,
)

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


@pytest.mark.parametrize("unknown", ["iss_none", "OFFICE-99", "ZZZ-1", "x#X#META", "é"])
def test_an_unknown_subject_is_not_found_and_an_unknown_other_is_a_mistake(
    office: Office, unknown: str
) -> None:
    issue_id = an_issue(office)

    as_subject = office.refused("relations.add", relating(unknown, "BLOCKS", issue_id))
    as_other = office.refused("relations.add", relating(issue_id, "BLOCKS", unknown))

    assert as_subject == (404, "not_found", set())
    assert as_other == (400, "invalid_input", {"toIssueId"})


def test_a_deleted_issue_is_unknown(office: Office) -> None:
    kept, deleted = issues(office, 2)
    delete(office, deleted)

    assert office.refused("relations.add", relating(deleted, "BLOCKS", kept))[0] == 404
    assert office.refused("relations.add", relating(kept, "BLOCKS", deleted))[0] == 400


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "IGNORES"}, "kind"),
        ({"kind": None}, "kind"),
        ({"fromIssueId": ""}, "fromIssueId"),
        ({"toIssueId": "i" * 41}, "toIssueId"),
        ({"toIssueId": None}, "toIssueId"),
        ({"issueId": "DEMO-1"}, "issueId"),
    ],
)
def test_other_arguments_are_refused(tableless_office: Office, change: dict[str, object], field: str) -> None:
    refused = tableless_office.refused("relations.add", relating("DEMO-1", "BLOCKS", "DEMO-2") | change)

    assert refused == (400, "invalid_input", {field})


def test_an_issue_of_another_workspace_is_as_unknown_as_any(office: Office, other_office: Office) -> None:
    ours, theirs = an_issue(office), an_issue(other_office)

    as_subject = office.refused("relations.add", relating(theirs, "BLOCKS", ours))
    as_other = office.refused("relations.add", relating(ours, "BLOCKS", theirs))

    assert as_subject == (404, "not_found", set())
    assert as_other == (400, "invalid_input", {"toIssueId"})
    assert rows_of(other_office, theirs) == []


def test_the_graph_of_one_workspace_is_no_other_s(office: Office, other_office: Office) -> None:
    for one in (office, other_office):
        first, second = issues(one, 2)
        relate(one, first, "BLOCKS", second)

        assert head(one, second).open_blockers == 1


@every_kind
def test_a_narrowed_key_relates_only_what_it_may_see(office: Office, kind: str) -> None:
    label = office.a_label()["id"]
    key = office.a_narrowed_key(label_ids=[label])
    hidden, (seen, also_seen) = an_issue(office), [an_issue(office, labelIds=[label]) for _ in range(2)]

    for ends in ((seen, kind, hidden), (hidden, kind, seen)):
        assert office.refused("relations.add", relating(*ends), key=key) == (403, "forbidden", set())
    assert rows_of(office, hidden) == []
    assert relate(office, seen, kind, also_seen, key=key)["relation"]["kind"] == kind


def test_a_narrowed_key_does_not_learn_of_what_is_there_already(office: Office) -> None:
    label = office.a_label()["id"]
    seen, hidden = an_issue(office, labelIds=[label]), an_issue(office)
    relate(office, seen, "BLOCKS", hidden)

    key = office.a_narrowed_key(label_ids=[label])

    refused = office.refused("relations.add", relating(seen, "BLOCKS", hidden), key=key)
    assert refused == (403, "forbidden", set())


@pytest.mark.parametrize("place", [0, 1], ids=["the subject", "the other"])
def test_an_agent_that_only_discusses_one_of_the_issues_may_not_relate_it(office: Office, place: int) -> None:
    agent_id, ends = office.an_agent()["id"], issues(office, 2)
    key = office.an_agents_key(agent_id)
    office.call("issues.assign", {"issueId": ends[place], "agentId": agent_id, "mode": "DISCUSS"})

    refused = office.refused("relations.add", relating(ends[0], "BLOCKS", ends[1]), key=key)

    assert refused == (403, "mode_forbidden", set())
    assert rows_of(office, ends[0]) == []


@pytest.mark.parametrize("scope", ["READ_ISSUES", "WRITE_COMMENTS", "ADMIN"])
def test_other_scopes_do_not_do(office: Office, scope: str) -> None:
    first, second = issues(office, 2)
    key = office.a_key(scopes=[scope])["rawKey"]

    refused = office.refused("relations.add", relating(first, "BLOCKS", second), key=key)

    assert refused == (403, "scope_required", set())


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
