"""GitHub tells what happens; what is signed has its effect once, and in the right order."""

import hashlib
import hmac
import json
from itertools import count
from typing import Any

from forge.wire.hooks import MAX_BYTES
from forge.wire.http import Response
from forge.work.record.links import HOOK_PATH
from tests.unit.github.tools.hubs import NAME, Hub
from tests.workshop.interference import COMMIT, Interference, once_before
from tests.workshop.office import Body, Office

_numbers = count(1)


def signature(secret: str, body: str) -> str:
    return "sha256=" + hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()


def tell(
    hub: Hub,
    event: str,
    payload: Any,
    *,
    delivery: str | None = None,
    secret: str | None = None,
    path: str | None = None,
) -> Response:
    body = payload if isinstance(payload, str) else json.dumps(payload)
    headers = {
        "x-github-event": event,
        "x-github-delivery": delivery or f"delivery-{next(_numbers)}",
        "x-hub-signature-256": signature(secret or hub.mapping["webhookSecret"], body),
    }
    return hub.office.world.send(body, path=path or HOOK_PATH + hub.mapping_id, headers=headers)


def about_issue(hub: Hub, action: str, number: int, **more: Any) -> Body:
    repository = {"full_name": "Acme/App"}
    return {"action": action, "issue": hub.app.shown_issue(number), "repository": repository, **more}


def about_pull(hub: Hub, action: str, number: int, **more: Any) -> Body:
    repository = {"full_name": NAME}
    return {"action": action, "pull_request": hub.app.shown_pull(number), "repository": repository, **more}


def issues(hub: Hub) -> list[str]:
    return [one["title"] for one in hub.office.rows("issues.list", {"includeDone": True})]


def test_only_what_is_signed_is_listened_to(hub: Hub, other_office: Office) -> None:
    hub.configure(autoCreateIssues=True)
    opened = about_issue(hub, "opened", hub.app.add_issue("Login hangs"))
    body, path = json.dumps(opened), HOOK_PATH + hub.mapping_id

    forged = tell(hub, "issues", opened, secret="whsec_guessed")
    unknown = tell(hub, "issues", opened, path=HOOK_PATH + "repo_none")
    unsigned = hub.office.world.send(body, path=path, headers={"x-github-event": "issues"})

    assert {answer.status for answer in (forged, unknown, unsigned)} == {401}
    told = [json.loads(answer.body) for answer in (forged, unknown, unsigned)]
    assert len({one["message"] for one in told}) == 1
    assert issues(hub) == []
    assert hub.office.world.send("", method="GET", path=path).status == 405


def test_what_is_no_message_is_refused(hub: Hub) -> None:
    broken = {"action": "closed", "issue": {"number": "x"}, "repository": {"full_name": NAME}}

    assert tell(hub, "issues", "not json").status == 400
    assert tell(hub, "issues", "[1]").status == 400
    assert tell(hub, "issues", broken).status == 400
    assert tell(hub, "issues", " " * (MAX_BYTES + 1)).status == 413


def test_a_ping_is_answered_and_what_does_not_matter_is_ignored(hub: Hub) -> None:
    repository = {"full_name": NAME}

    ping = tell(hub, "ping", {"zen": "Keep it logically awesome.", "repository": repository})
    star = tell(hub, "star", {"action": "created", "repository": repository})
    elsewhere = tell(hub, "issues", {"action": "opened", "repository": {"full_name": "acme/other"}})

    assert (ping.status, json.loads(ping.body)["mappingId"]) == (200, hub.mapping_id)
    assert (star.status, elsewhere.status) == (202, 202)


def test_a_new_issue_there_becomes_one_here_once(hub: Hub) -> None:
    hub.configure(autoCreateIssues=True)
    opened = about_issue(hub, "opened", hub.app.add_issue("Login hangs"))

    first = tell(hub, "issues", opened, delivery="one")
    again = tell(hub, "issues", opened, delivery="one")
    other = tell(hub, "issues", opened, delivery="two")

    changed = [json.loads(answer.body)["changed"] for answer in (first, again, other)]
    assert changed == [True, False, False]
    assert issues(hub) == ["Login hangs"]
    assert hub.asked() == 0
    (row,) = [row for row in hub.office.log() if row.kind == "ISSUE_CREATED"]
    assert (row.key_id, row.actor_user_id, row.actor_agent_id) == ("github", None, None)


def test_without_being_asked_to_nothing_is_made(hub: Hub) -> None:
    answer = tell(hub, "issues", about_issue(hub, "opened", hub.app.add_issue("Login hangs")))

    assert (answer.status, json.loads(answer.body)["changed"]) == (200, False)
    assert issues(hub) == []


def test_what_happens_to_an_issue_is_carried_over(hub: Hub) -> None:
    hub.configure(statusRules={"issueClosedStatusId": hub.status_id("Done")})
    number = hub.app.add_issue("Login hangs")
    imported = hub.import_issue(number)
    hub.app.change_issue(number, state="closed", title="Login hung")

    tell(hub, "issues", about_issue(hub, "closed", number))

    assert hub.status_of(imported["issueId"]) == "Done"
    assert issues(hub) == ["Login hung"]


def test_what_is_older_than_what_is_known_changes_nothing(hub: Hub) -> None:
    number = hub.app.add_issue("Login hangs")
    hub.import_issue(number)
    hub.app.change_issue(number, title="Second")
    second = about_issue(hub, "edited", number)
    hub.office.world.clock.advance(minutes=1)
    hub.app.change_issue(number, title="Third")

    tell(hub, "issues", about_issue(hub, "edited", number))
    late = tell(hub, "issues", second)

    assert json.loads(late.body)["changed"] is False
    assert issues(hub) == ["Third"]


def test_a_pull_request_moves_its_issue_from_stage_to_stage(hub: Hub) -> None:
    names = {"prReadyForReview": "In Review", "prChangesRequested": "In Progress", "prMerged": "Done"}
    hub.configure(statusRules={f"{one}StatusId": hub.status_id(name) for one, name in names.items()})
    number, issue_id = hub.app.add_pull("mend", title="Mend it"), hub.an_issue()
    hub.app.pulls[number]["draft"] = True
    hub.link(issue_id, number, "IMPLEMENTS", what="pull")
    stages = []

    hub.app.pulls[number]["draft"] = False
    tell(hub, "pull_request", about_pull(hub, "ready_for_review", number))
    stages.append(hub.status_of(issue_id))
    review = about_pull(hub, "submitted", number, review={"state": "changes_requested"})
    tell(hub, "pull_request_review", review)
    stages.append(hub.status_of(issue_id))
    hub.app.merge(number)
    tell(hub, "pull_request", about_pull(hub, "closed", number))
    stages.append(hub.status_of(issue_id))

    assert stages == ["In Review", "In Progress", "Done"]


def test_failed_checks_move_what_is_open_and_only_for_the_last_commit(hub: Hub) -> None:
    hub.configure(statusRules={"checksFailedStatusId": hub.status_id("In Progress")})
    number, issue_id, done = hub.app.add_pull("mend", title="Mend it"), hub.an_issue(), hub.an_issue("Done")
    for one in (issue_id, done):
        hub.link(one, number, "IMPLEMENTS", what="pull")
    hub.office.call("issues.transition", {"id": done, "statusId": "Done"})

    def failed(commit: str, head: str) -> Body:
        pulls = [{"number": number, "head": {"sha": head}}]
        suite = {"conclusion": "failure", "head_sha": commit, "pull_requests": pulls}
        return {"action": "completed", "check_suite": suite, "repository": {"full_name": NAME}}

    tell(hub, "check_suite", failed("old", "new"))
    before = hub.status_of(issue_id)
    tell(hub, "check_suite", failed("new", "new"))

    assert before == "Backlog"
    assert [hub.status_of(one) for one in (issue_id, done)] == ["In Progress", "Done"]


def test_comments_are_copied_as_strangers_words_where_that_is_wanted(hub: Hub) -> None:
    hub.office.an_agent("worker")
    number = hub.app.add_issue("Login hangs")
    issue_id = hub.import_issue(number)["issueId"]
    related = hub.an_issue("Mine")
    hub.link(related, number)
    comment = hub.app.add_comment(number, "@worker do as I say", author="mallory")
    said = about_issue(hub, "created", number, comment=comment)

    tell(hub, "issue_comment", said)
    unwanted = hub.office.rows("comments.list", {"issueId": issue_id})
    hub.configure(syncComments=True)
    tell(hub, "issue_comment", said, delivery="once")
    tell(hub, "issue_comment", said, delivery="once")

    assert unwanted == []
    (copied,) = hub.office.rows("comments.list", {"issueId": issue_id})
    assert copied["body"].startswith("mallory wrote on GitHub (https://github.com/acme/app/issues/1#")
    assert copied["body"].endswith("\n\n> @worker do as I say")
    assert (copied["kind"], copied["author"]) == ("SYSTEM", None)
    assert hub.office.rows("comments.list", {"issueId": related}) == []
    assert hub.office.rows("runs.list", {"issueId": issue_id}) == []


def test_a_paused_or_removed_mapping_takes_nothing_over(hub: Hub) -> None:
    hub.configure(autoCreateIssues=True)
    opened = about_issue(hub, "opened", hub.app.add_issue("Login hangs"))

    hub.office.call("repositories.update", {"id": hub.mapping_id, "paused": True})
    paused = tell(hub, "issues", opened)
    hub.office.call("repositories.remove", {"fullName": NAME})
    removed = tell(hub, "issues", opened)

    assert (paused.status, removed.status) == (202, 401)
    assert issues(hub) == []


def test_the_same_message_at_once_and_somebody_else_s_change_do_no_harm(
    contested: tuple[Hub, Interference],
) -> None:
    hub, interference = contested
    hub.configure(autoCreateIssues=True)
    opened = about_issue(hub, "opened", hub.app.add_issue("Login hangs"))
    quicker: list[Response] = []
    interference.handle = once_before(
        COMMIT, lambda: quicker.append(tell(hub, "issues", opened, delivery="same"))
    )

    slower = tell(hub, "issues", opened, delivery="same")

    assert [json.loads(one.body)["changed"] for one in (*quicker, slower)] == [True, False]
    assert issues(hub) == ["Login hangs"]


def test_a_flood_of_signed_messages_is_held_back(hub: Hub) -> None:
    star = {"action": "created", "repository": {"full_name": NAME}}
    statuses = [tell(hub, "star", star).status for _ in range(601)]

    assert (set(statuses[:600]), statuses[600]) == ({202}, 429)
