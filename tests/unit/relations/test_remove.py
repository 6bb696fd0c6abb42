"""A relation goes from both of its issues at once, and with it whatever it held up."""

import pytest

from tests.workshop.issues import a_queued_issue, an_issue, delete, head, issues
from tests.workshop.office import Office
from tests.workshop.relations import KINDS, events, queue, reference, relate, relations_of, remove, rows_of

GONE = (404, "not_found", set[str]())
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_nothing_of_it_stays(office: Office, kind: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)

    assert office.call("relations.remove", {"id": made["relation"]["id"]}) == {"ok": True}

    assert rows_of(office, first) == rows_of(office, second) == []
    for view in filter(None, made.values()):
        assert reference(office, view["id"]) is None
    for issue_id in (first, second):
        assert (head(office, issue_id).blocks, head(office, issue_id).open_blockers) == ([], 0)


@pytest.mark.parametrize("kind", ["BLOCKS", "BLOCKED_BY"])
@pytest.mark.parametrize("side", ["relation", "reciprocal"])
def test_either_id_removes_both_sides_of_a_blocker(office: Office, kind: str, side: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)

    remove(office, made[side]["id"])

    assert relations_of(office, first) == relations_of(office, second) == []
    for view in made.values():
        assert office.refused("relations.remove", {"relationId": view["id"]}) == GONE


@every_kind
def test_the_same_relation_can_be_made_again(office: Office, kind: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)
    remove(office, made["relation"]["id"])

    again = relate(office, first, kind, second)

    assert again["relation"]["id"] != made["relation"]["id"]
    assert office.refused("relations.remove", {"relationId": made["relation"]["id"]}) == GONE
    assert len(rows_of(office, first)) == len(rows_of(office, second)) == 1


def test_other_relations_of_the_two_issues_stay(office: Office) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, "DUPLICATES", second)
    others = (second, "DUPLICATES", first), (first, "BLOCKS", second)
    kept = {relate(office, *ends)["relation"]["id"] for ends in others}

    remove(office, made["relation"]["id"])

    assert {row["id"] for row in relations_of(office, first)} == kept
    assert len(rows_of(office, first)) == len(rows_of(office, second)) == 2


def test_what_nothing_else_blocks_is_in_the_queue_again(office: Office) -> None:
    blocker, other, blocked = an_issue(office), an_issue(office), a_queued_issue(office)
    made = [relate(office, one, "BLOCKS", blocked)["relation"]["id"] for one in (blocker, other)]

    remove(office, made[0])
    assert (head(office, blocked).open_blockers, queue(office)) == (1, set())

    remove(office, made[1])
    assert (head(office, blocked).open_blockers, queue(office)) == (0, {blocked})


def test_a_count_never_falls_below_nothing(office: Office) -> None:
    blocker, blocked = issues(office, 2)
    made = relate(office, blocker, "BLOCKS", blocked)
    tx = office.begin()
    tx.replace(head(office, blocked).changed(open_blockers=0))
    office.commit(tx)

    remove(office, made["relation"]["id"])

    assert head(office, blocked).open_blockers == 0


@every_kind
@pytest.mark.parametrize("hidden", [0, 1], ids=["from the first", "to the second"])
def test_a_narrowed_key_removes_only_what_it_may_see_both_ends_of(
    office: Office, kind: str, hidden: int
) -> None:
    label = office.a_label()["id"]
    ends = [an_issue(office, labelIds=[] if place == hidden else [label]) for place in range(2)]
    relation_id = relate(office, ends[0], kind, ends[1])["relation"]["id"]

    key = office.a_narrowed_key(label_ids=[label])

    refused = office.refused("relations.remove", {"relationId": relation_id}, key=key)
    assert refused == (403, "forbidden", set())
    assert len(rows_of(office, ends[0])) == 1


def test_an_agent_at_work_on_an_issue_removes_a_relation_and_is_not_woken_by_that(office: Office) -> None:
    agent_id, (first, second) = office.an_agent()["id"], issues(office, 2)
    relation_id = relate(office, first, "BLOCKS", second)["relation"]["id"]
    office.call("issues.assign", {"issueId": first, "agentId": agent_id, "mode": "EXECUTE"})

    assert remove(office, relation_id, key=office.an_agents_key(agent_id)) == {"ok": True}
    assert events(office)[-1].wakes == []


@pytest.mark.parametrize("end", [0, 1])
def test_who_only_discusses_either_end_removes_nothing(office: Office, end: int) -> None:
    agent_id, ends = office.an_agent()["id"], issues(office, 2)
    relation_id = relate(office, ends[0], "BLOCKS", ends[1])["relation"]["id"]
    office.call("issues.assign", {"issueId": ends[end], "agentId": agent_id, "mode": "DISCUSS"})

    key = office.an_agents_key(agent_id)

    assert office.refused("relations.remove", {"relationId": relation_id}, key=key)[1] == "mode_forbidden"


@pytest.mark.parametrize("side", ["relation", "reciprocal"])
def test_one_event_tells_of_it_on_the_issue_whose_relation_it_was(office: Office, side: str) -> None:
    first, second = issues(office, 2)
    view = relate(office, first, "BLOCKS", second)[side]
    logged = len(office.log())

    remove(office, view["id"])

    (row,) = office.log()[logged:]
    assert (row.kind, row.tool) == ("ISSUE_UPDATED", "relations.remove")
    assert (row.subject_type, row.subject_id) == ("issue", view["fromIssueId"])
    told = {"id": view["id"], "kind": view["kind"], "toIssueId": view["toIssueId"]}
    assert row.payload == {"relation": told, "removed": True}


def test_a_relation_to_a_deleted_issue_can_still_be_removed(office: Office) -> None:
    kept, deleted = issues(office, 2)
    made = relate(office, kept, "RELATES_TO", deleted)
    delete(office, deleted)

    assert remove(office, made["relation"]["id"]) == {"ok": True}
    assert rows_of(office, kept) == []
