"""A deleted label filters nothing and grants nothing from that moment on, and issues lose it soon after."""

from forge.store.table import Table
from forge.work.issues.issues import IssueItem
from forge.work.record.continuations.continuations import LATECOMERS
from tests.workshop.issues import an_issue
from tests.workshop.office import Office


def _table(office: Office) -> Table:
    return office.world.services.store.table


def head_of(office: Office, issue_id: str) -> IssueItem:
    rows = _table(office).query_all(f"WS#{office.workspace.id}#ISSUE#{issue_id}", most=50)
    return rows.of(IssueItem)[0]


def test_a_filter_by_a_deleted_label_is_a_mistake_and_says_so(office: Office) -> None:
    label, other = office.a_label("bug")["id"], office.a_label("chore")["id"]
    issue_id = an_issue(office, labelIds=[label, other])
    office.call("labels.delete", {"id": label})

    for wanted in ([label], [other, label]):
        refused = office.refused("issues.list", {"labelIds": wanted})
        assert refused == (400, "invalid_input", {"labelIds"})
    assert [row["id"] for row in office.rows("issues.list", {"labelIds": [other]})] == [issue_id]


def test_a_key_that_is_narrowed_to_it_sees_nothing_at_once(office: Office) -> None:
    label = office.a_label("bug")["id"]
    issue_id = an_issue(office, labelIds=[label])
    loose = an_issue(office)
    narrowed = office.a_key(labelIds=[label])["rawKey"]
    assert [row["id"] for row in office.rows("issues.list", key=narrowed)] == [issue_id]

    office.call("labels.delete", {"id": label})

    assert office.rows("issues.list", key=narrowed) == []
    for hidden in (issue_id, loose):
        assert office.refused("issues.get", {"id": hidden}, key=narrowed) == (403, "forbidden", set())
    assert office.call("issues.claim", {}, key=narrowed)["claimed"] is None


def test_another_label_of_the_key_still_counts(office: Office) -> None:
    gone, kept = office.a_label("bug")["id"], office.a_label("chore")["id"]
    an_issue(office, labelIds=[gone])
    issue_id = an_issue(office, labelIds=[kept])
    narrowed = office.a_key(labelIds=[gone, kept])["rawKey"]

    office.call("labels.delete", {"id": gone})

    assert [row["id"] for row in office.rows("issues.list", key=narrowed)] == [issue_id]


def test_issues_lose_it_and_keep_the_others(office: Office) -> None:
    gone, kept = office.a_label("bug")["id"], office.a_label("chore")["id"]
    ids = [an_issue(office, f"Number {place}", labelIds=[gone, kept]) for place in range(25)]
    untouched = an_issue(office, labelIds=[kept])
    before = head_of(office, untouched)
    office.call("labels.delete", {"id": gone})

    office.sweep()

    assert {head_of(office, one).label_ids for one in ids} == {frozenset({kept})}
    assert head_of(office, untouched) == before
    assert {row["issueCount"] for row in office.rows("labels.list")} == {26}


def test_the_queue_forgets_it_too(office: Office) -> None:
    label = office.a_label("bug")["id"]
    issue_id = an_issue(office, labelIds=[label])
    office.call("issues.queue", {"id": issue_id})
    office.call("labels.delete", {"id": label})

    office.sweep()

    assert office.call("issues.claim", {})["claimed"]["id"] == issue_id


def test_that_is_audited_and_told_to_nobody(office: Office) -> None:
    label = office.a_label("bug")["id"]
    issue_id = an_issue(office, labelIds=[label])
    told = office.rows("events.recent")
    office.call("labels.delete", {"id": label})

    office.sweep()

    (row,) = [row for row in office.log() if row.action == "unlabel"]
    assert (row.kind, row.issue_id, row.tool) == (None, issue_id, "labels.delete")
    assert row.actor_user_id == office.owner_id
    assert office.rows("events.recent") == told


def test_once_is_enough(office: Office) -> None:
    label = office.a_label("bug")["id"]
    issue_id = an_issue(office, labelIds=[label])
    office.call("labels.delete", {"id": label})

    for _ in range(3):
        office.sweep()
        office.world.clock.advance(seconds=LATECOMERS.total_seconds())

    assert [row.action for row in office.log()].count("unlabel") == 1
    assert [row.action for row in office.log()].count("finish") == 1
    assert head_of(office, issue_id).label_ids == frozenset()
