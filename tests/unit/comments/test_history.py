"""What a comment said before can be read in full, all that is kept of it."""

import pytest

from tests.workshop.comments import a_comment, an_agents_key, edit, say
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office


def history(office: Office, comment_id: str, **more: object) -> Body:
    return office.call("comments.history", {"id": comment_id, **more})


def bodies(page: Body) -> list[str]:
    return [row["body"] for row in page["data"]]


@pytest.mark.parametrize("edits", [0, 1, 19, 20, 23])
def test_all_that_is_kept_is_shown_the_newest_first(office: Office, edits: int) -> None:
    comment = a_comment(office, an_issue(office), "0")
    for number in range(1, edits + 1):
        edit(office, comment["id"], str(number))

    page = history(office, comment["id"])

    assert bodies(page) == [str(number) for number in range(edits - 1, max(edits - 21, -1), -1)]
    assert page.get("nextCursor") is None


def test_of_a_status_fifty_are_kept_with_what_was_done_then(office: Office) -> None:
    issue_id, key = an_issue(office), an_agents_key(office, office.an_agent()["id"])
    for number in range(53):
        office.world.clock.advance(seconds=10)
        status = say(office, issue_id, str(number), key=key, currentStep=f"Step {number}")

    page = history(office, status["id"])

    assert bodies(page) == [str(number) for number in range(51, 1, -1)]
    assert page["data"][0]["currentStep"] == "Step 51"


def test_long_texts_are_whole_and_spread_over_pages(office: Office) -> None:
    said = [letter * 15_000 for letter in "abcde"]
    comment = a_comment(office, an_issue(office), said[0])
    for text in said[1:]:
        edit(office, comment["id"], text)
    edit(office, comment["id"], "short")

    read, cursor = list[str](), None
    while True:
        page = history(office, comment["id"], **({"cursor": cursor} if cursor else {}))
        read += bodies(page)
        cursor = page.get("nextCursor")
        if cursor is None:
            break
        # Somebody else goes on editing, and no text is shown twice or left out for that.
        edit(office, comment["id"], f"edited after {len(read)}")

    assert read == said[::-1]


def test_a_cursor_of_another_comment_is_refused(office: Office) -> None:
    first, second = (a_comment(office, an_issue(office), "0")["id"] for _ in range(2))
    for number in range(3):
        edit(office, first, str(number + 1))
    cursor = history(office, first, limit=1)["nextCursor"]

    refused = office.refused("comments.history", {"id": second, "cursor": cursor})

    assert refused == (400, "invalid_input", {"cursor"})


def test_what_a_deleted_comment_said_is_for_its_author_and_admins(office: Office) -> None:
    author, member = office.a_colleague(), office.a_colleague()
    comment = a_comment(office, an_issue(office), "first", key=author.key)
    edit(office, comment["id"], "second")
    office.call("comments.delete", {"id": comment["id"]}, key=author.key)

    by_author = office.call("comments.history", {"id": comment["id"]}, key=author.key)

    assert bodies(by_author) == bodies(history(office, comment["id"])) == ["second", "first"]
    assert office.refused("comments.history", {"id": comment["id"]}, key=member.key)[0] == 404
