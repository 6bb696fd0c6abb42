"""What a comment said before is shown by whoever changes it, and by lists that are asked for it."""

from functions.comments.revisions import MAX_SHOWN, MAX_TEXT
from tests.workshop.comments import a_comment, an_agents_key, edit, say
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office


def bodies(comment: Body) -> list[str]:
    return [revision["body"] for revision in comment["revisions"]]


def listed(office: Office, issue_id: str, **how: object) -> Body:
    return office.call("comments.list", {"issueId": issue_id, "include": ["revisions"], **how})


def test_a_change_shows_the_newest_earlier_texts_first(office: Office) -> None:
    comment = a_comment(office, an_issue(office), "0")

    answers = [edit(office, comment["id"], str(number)) for number in range(1, MAX_SHOWN + 3)]
    shown = [bodies(one) for one in answers]

    assert [one.get("revisionsTruncated") for one in answers] == [None] * MAX_SHOWN + [True] * 2
    assert shown[:3] == [["0"], ["1", "0"], ["2", "1", "0"]]
    assert shown[-1] == [str(number) for number in range(MAX_SHOWN + 1, 1, -1)]


def test_the_same_status_again_shows_what_the_one_before_was(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    say(office, issue_id, "Begun", key=key)
    second = say(office, issue_id, "Going", key=key)

    again = say(office, issue_id, "Going", key=key)

    assert bodies(second) == bodies(again) == ["Begun"]


def test_a_long_earlier_text_is_cut_and_says_so(office: Office) -> None:
    issue_id = an_issue(office)
    for text in ("x" * (MAX_TEXT + 1), "\N{MEMO}" * 30_000):
        (revision,) = edit(office, a_comment(office, issue_id, text)["id"])["revisions"]

        assert (revision["body"], revision["truncated"]) == (text[:MAX_TEXT], True)
    (revision,) = edit(office, a_comment(office, issue_id, "x" * MAX_TEXT)["id"])["revisions"]
    assert "truncated" not in revision


def test_a_list_shows_earlier_texts_only_when_it_is_asked_for_them(office: Office) -> None:
    issue_id = an_issue(office)
    edited, untouched = a_comment(office, issue_id, "Good"), a_comment(office, issue_id, "Same")
    edit(office, edited["id"], "Better")

    plain = office.rows("comments.list", {"issueId": issue_id})
    shown = {row["id"]: bodies(row) for row in listed(office, issue_id)["data"]}

    assert not any("revisions" in row for row in plain)
    assert shown == {edited["id"]: ["Good"], untouched["id"]: []}


def test_a_list_ends_where_earlier_texts_are_too_many_for_one_request(office: Office) -> None:
    issue_id = an_issue(office)
    for _ in range(21):
        office.world.clock.advance(seconds=1)
        comment = a_comment(office, issue_id)
        for number in range(MAX_SHOWN):
            edit(office, comment["id"], str(number))

    page = listed(office, issue_id)
    rest = listed(office, issue_id, before=page["nextCursor"])

    assert page["truncated"] is True
    assert len(page["data"]) + len(rest["data"]) == 21
    assert all(len(row["revisions"]) == MAX_SHOWN for row in (*page["data"], *rest["data"]))
