"""Two issues are related once, whoever says it how often, and both of them know."""

import pytest

from tests.workshop.issues import head, issues
from tests.workshop.office import Office
from tests.workshop.relations import KINDS, MIRRORED, events, reference, relate, rows_of

every_kind = pytest.mark.parametrize("kind", KINDS)
every_plain_kind = pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in MIRRORED])


@every_kind
def test_a_relation_is_returned_as_its_issue_shows_it(office: Office, kind: str) -> None:
    first, second = issues(office, 2)

    relation = relate(office, first, kind, second)["relation"]

    assert relation["id"].startswith("rel_")
    assert relation == {
        "id": relation["id"],
        "kind": kind,
        "direction": "outbound",
        "fromIssueId": first,
        "toIssueId": second,
        "issue": relation["issue"],
        "createdAt": office.world.clock().isoformat().replace("+00:00", "Z"),
    }
    assert relation["issue"]["id"] == second
    assert relation["issue"]["title"] == "Number 1"
    assert relation["issue"]["status"]["category"] == "BACKLOG"


@pytest.mark.parametrize("kind", MIRRORED)
def test_a_blocker_is_told_from_the_other_side_too(office: Office, kind: str) -> None:
    first, second = issues(office, 2)

    made = relate(office, first, kind, second)

    relation, reciprocal = made["relation"], made["reciprocal"]
    assert reciprocal["id"] != relation["id"]
    assert reciprocal["kind"] == MIRRORED[kind]
    assert (reciprocal["fromIssueId"], reciprocal["toIssueId"]) == (second, first)
    assert (reciprocal["direction"], reciprocal["issue"]["id"]) == ("outbound", first)


@every_plain_kind
def test_other_kinds_have_no_reciprocal(office: Office, kind: str) -> None:
    first, second = issues(office, 2)

    assert relate(office, first, kind, second)["reciprocal"] is None


@every_kind
def test_both_issues_keep_a_row_and_each_id_finds_its_own(office: Office, kind: str) -> None:
    first, second = issues(office, 2)

    made = relate(office, first, kind, second)

    (own,), (others,) = rows_of(office, first), rows_of(office, second)
    assert own.counterpart == others
    assert others.counterpart == own
    assert others.is_inbound is (kind not in MIRRORED)
    for view in filter(None, (made["relation"], made["reciprocal"])):
        found = reference(office, view["id"])
        assert found is not None
        assert (found.issue_id, found.sort) == (
            (first, own.key.sort) if view["id"] == own.id else (second, others.key.sort)
        )


@every_kind
def test_a_relation_that_is_there_is_returned_and_nothing_is_written(office: Office, kind: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)
    office.world.clock.advance(minutes=1)
    before = head(office, first), head(office, second), office.log()

    again = relate(office, first, kind, second)

    assert again == made
    assert (head(office, first), head(office, second), office.log()) == before


@pytest.mark.parametrize("kind", MIRRORED)
def test_the_same_said_from_the_other_side_is_there_already(office: Office, kind: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)
    logged = office.log()

    again = relate(office, second, MIRRORED[kind], first)

    assert again == {"relation": made["reciprocal"], "reciprocal": made["relation"]}
    assert office.log() == logged


@every_plain_kind
def test_two_issues_may_say_the_same_of_each_other(office: Office, kind: str) -> None:
    first, second = issues(office, 2)

    one, other = relate(office, first, kind, second), relate(office, second, kind, first)

    assert one["relation"]["id"] != other["relation"]["id"]
    assert len(rows_of(office, first)) == len(rows_of(office, second)) == 2


def test_an_agent_at_work_relates_its_issue_and_is_not_woken_by_itself(office: Office) -> None:
    agent_id, (first, second) = office.an_agent()["id"], issues(office, 2)
    key = office.an_agents_key(agent_id)
    office.call("issues.assign", {"issueId": first, "agentId": agent_id, "mode": "EXECUTE"})

    relate(office, first, "BLOCKED_BY", second, key=key)

    (told,) = events(office)
    assert (told.actor_agent_id, told.wakes) == (agent_id, [])


def test_the_issue_it_was_said_of_is_news_and_the_other_is_not(office: Office) -> None:
    first, second = issues(office, 2)
    before = head(office, second).updated_at
    office.world.clock.advance(minutes=1)

    relate(office, first, "BLOCKS", second)

    assert head(office, first).updated_at == office.world.clock()
    assert head(office, second).updated_at == before
