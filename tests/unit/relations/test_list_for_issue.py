"""An issue shows what it says of others and what others say of it, and says which is which."""

import json

import pytest

from forge.work.issues.issues import OF_ISSUE
from forge.work.issues.pages.sizes import MAX_ANSWER
from forge.work.issues.relations.relations import MAX_RELATIONS
from tests.workshop.issues import an_issue, delete, issues, move, table
from tests.workshop.office import Body, Office
from tests.workshop.relations import relate, relations_of, stored_relations


def seen(row: Body) -> tuple[str, str, str, str]:
    return row["kind"], row["direction"], row["fromIssueId"], row["toIssueId"]


@pytest.mark.parametrize("kind", ["DUPLICATES", "RELATES_TO"])
def test_a_relation_is_outbound_here_and_inbound_there(office: Office, kind: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)["relation"]

    (outbound,), (inbound,) = relations_of(office, first), relations_of(office, second)

    assert outbound == made
    assert inbound == made | {"direction": "inbound", "issue": inbound["issue"]}
    assert inbound["issue"]["id"] == first


@pytest.mark.parametrize("kind", ["BLOCKS", "BLOCKED_BY"])
def test_a_blocker_is_in_both_lists_once_as_each_issue_says_it(office: Office, kind: str) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, kind, second)
    relation, reciprocal = made["relation"], made["reciprocal"]

    own, others = relations_of(office, first), relations_of(office, second)

    assert own == [relation]
    assert others == [reciprocal]


def test_the_oldest_relation_comes_first(office: Office) -> None:
    issue_id, *others = issues(office, 4)
    relate(office, issue_id, "RELATES_TO", others[2])
    office.world.clock.advance(seconds=1)
    relate(office, others[0], "DUPLICATES", issue_id)
    office.world.clock.advance(seconds=1)
    relate(office, issue_id, "BLOCKED_BY", others[1])

    rows = relations_of(office, issue_id)

    assert [seen(row) for row in rows] == [
        ("RELATES_TO", "outbound", issue_id, others[2]),
        ("DUPLICATES", "inbound", others[0], issue_id),
        ("BLOCKED_BY", "outbound", issue_id, others[1]),
    ]
    assert [row["createdAt"] for row in rows] == sorted(row["createdAt"] for row in rows)


def test_each_row_shows_how_the_other_issue_stands_now(office: Office) -> None:
    first, second = issues(office, 2)
    relate(office, first, "RELATES_TO", second)
    move(office, second, "DONE")
    office.call("issues.update", {"id": second, "title": "Renamed"})

    (row,) = relations_of(office, first)

    detail = office.call("issues.get", {"id": second})
    names = ("id", "identifier", "number", "title", "statusId", "status")
    assert row["issue"] == {name: detail[name] for name in names}


def test_what_the_key_may_not_see_is_left_out(office: Office) -> None:
    label = office.a_label()["id"]
    issue_id, visible = [an_issue(office, labelIds=[label]) for _ in range(2)]
    hidden = an_issue(office)
    for other in (hidden, visible):
        relate(office, issue_id, "BLOCKS", other)
        relate(office, other, "DUPLICATES", issue_id)

    rows = relations_of(office, issue_id, key=office.a_narrowed_key(label_ids=[label]))

    assert {row["issue"]["id"] for row in rows} == {visible}
    assert len(rows) == 2
    assert hidden not in json.dumps(rows)


def test_a_deleted_issue_is_left_out(office: Office) -> None:
    first, second = issues(office, 2)
    relate(office, first, "RELATES_TO", second)
    delete(office, second)

    assert relations_of(office, first) == []


def test_a_page_goes_on_where_it_ended_though_its_last_relation_is_gone(office: Office) -> None:
    issue_id, *others = issues(office, 4)
    made = []
    for other in others:
        made.append(relate(office, issue_id, "RELATES_TO", other)["relation"])
        office.world.clock.advance(seconds=1)
    cursor = office.call("relations.listForIssue", {"issueId": issue_id, "limit": 2})["nextCursor"]
    office.call("relations.remove", {"relationId": made[1]["id"]})

    rest = office.rows("relations.listForIssue", {"issueId": issue_id, "cursor": cursor})

    assert rest == made[2:]


def test_the_cursor_of_another_issue_is_refused(office: Office) -> None:
    first, second, third = issues(office, 3)
    relate(office, first, "BLOCKS", second)
    relate(office, third, "BLOCKS", second)
    relate(office, third, "BLOCKS", first)
    cursor = office.call("relations.listForIssue", {"issueId": first, "limit": 1})["nextCursor"]

    for bad in (cursor, "bm90IGEgY3Vyc29y", "é"):
        refused = office.refused("relations.listForIssue", {"issueId": third, "cursor": bad})
        assert refused == (400, "invalid_input", {"cursor"})


def test_it_takes_two_reads_however_many_there_are(office: Office) -> None:
    requests = office.counted()
    issue_id = an_issue(office)
    stored_relations(office, issue_id, MAX_RELATIONS)
    requests.reset()

    relations_of(office, issue_id)

    assert requests.reads == 2


def test_what_lies_beside_the_relations_is_not_taken_for_one(office: Office) -> None:
    first, second = issues(office, 2)
    relate(office, first, "BLOCKS", second)
    office.call("comments.create", {"issueId": first, "body": "Hello"})

    rows = table(office).query_all(OF_ISSUE(office.workspace.id, first), most=100)

    assert len(rows) > 3
    assert len(relations_of(office, first)) == 1


def test_an_answer_is_never_too_long_to_send(office: Office) -> None:
    issue_id = an_issue(office)
    others = [an_issue(office, title="\N{MEMO}" * 300) for _ in range(30)]
    for other in others:
        relate(office, other, "BLOCKS", issue_id)

    found: list[str] = []
    order = {"issueId": issue_id}
    while order:
        answer = office.send("relations.listForIssue", order)
        page = json.loads(answer.body)
        assert len(answer.body) <= MAX_ANSWER
        assert page.get("truncated") is (True if "nextCursor" in page else None)
        found += [row["id"] for row in page["data"]]
        order = {"issueId": issue_id, "cursor": page["nextCursor"]} if "nextCursor" in page else {}

    assert len(found) == len(set(found)) == len(others)
