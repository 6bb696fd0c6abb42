"""attachments.finalize, and what becomes of uploads that never come to it."""

from base64 import b64encode

import pytest

from forge.work.content.attachments.media import upload_name
from forge.work.record.log.kinds import EventKind
from tests.workshop.attachments import (
    PICTURE,
    TARGETS,
    attached,
    begun,
    item,
    listed,
    order_for,
    stored,
    taken,
)
from tests.workshop.issues import an_issue
from tests.workshop.office import Office


def test_a_finalized_file_is_listed_and_its_issue_tells_of_it(office: Office) -> None:
    issue_id = an_issue(office)
    upload = begun(office, issue_id)

    done = office.call("attachments.finalize", {"attachmentId": upload["attachmentId"]})

    row = office.log()[-1]
    told = {"id": done["id"], "kind": "FILE", "filename": "login.png", "mimeType": "image/png"}
    assert (done["url"], done["size"], done["mimeType"]) == (upload["key"], len(PICTURE), "image/png")
    assert (done["targetType"], done["targetId"], done["issueId"]) == ("issue", issue_id, issue_id)
    assert (row.kind, row.subject_id) == (EventKind.ISSUE_UPDATED, issue_id)
    assert row.payload == {"attachment": told | {"size": len(PICTURE)}, "added": True}
    assert listed(office, issue_id) == [done["id"]]


def test_the_key_says_the_same_and_twice_does_no_harm(office: Office) -> None:
    upload = begun(office)

    first = office.call("attachments.finalize", {"key": upload["key"]})
    again = office.call("attachments.finalize", {"id": upload["attachmentId"]})

    assert first == again
    assert [row.action for row in office.log()].count("attach") == 1


def test_a_small_file_comes_along_where_nothing_can_be_sent_to_a_url(office: Office) -> None:
    issue_id = an_issue(office)
    upload = office.call("attachments.initUpload", order_for(issue_id))
    given = {"attachmentId": upload["attachmentId"], "base64": b64encode(PICTURE).decode()}

    done = office.call("attachments.finalize", given)

    inline = office.call("attachments.getInline", {"attachmentId": done["id"]})
    assert listed(office, issue_id) == [done["id"]]
    assert inline["base64"] == given["base64"]


@pytest.mark.parametrize(
    ("base64", "status"), [("not base64!", 400), (b64encode(PICTURE + b"!").decode(), 409)]
)
def test_what_comes_along_is_what_was_announced(office: Office, base64: str, status: int) -> None:
    upload = office.call("attachments.initUpload", order_for(an_issue(office)))

    refused = office.refused(
        "attachments.finalize", {"attachmentId": upload["attachmentId"], "base64": base64}
    )

    assert refused[0] == status


def test_a_file_that_has_not_arrived_is_a_conflict(office: Office) -> None:
    upload = office.call("attachments.initUpload", order_for(an_issue(office)))

    refused = office.refused("attachments.finalize", {"attachmentId": upload["attachmentId"]})

    assert refused[:2] == (409, "conflict")


@pytest.mark.parametrize(("content", "content_type"), [(PICTURE + b"!", "image/png"), (PICTURE, "text/html")])
def test_so_is_another_file_than_was_announced(office: Office, content: bytes, content_type: str) -> None:
    upload = office.call("attachments.initUpload", order_for(an_issue(office)))
    blobs = office.world.services.store.blobs
    blobs.client.put_object(
        Bucket=blobs.bucket, Key=upload_name(upload["key"]), Body=content, ContentType=content_type
    )

    refused = office.refused("attachments.finalize", {"attachmentId": upload["attachmentId"]})

    assert refused[:2] == (409, "conflict")


def test_an_upload_is_named_once_and_by_whoever_owns_it(office: Office, other_office: Office) -> None:
    upload = begun(office)
    both = {"attachmentId": upload["attachmentId"], "key": upload["key"]}
    another = upload["key"].replace("login", "logout")

    for wrong in (both, {}):
        refused = office.refused("attachments.finalize", wrong)
        assert refused == (400, "invalid_input", {"attachmentId", "key"})
    assert office.refused("attachments.finalize", {"key": another})[0] == 404
    assert other_office.refused("attachments.finalize", {"key": upload["key"]})[0] == 404
    assert other_office.refused("attachments.finalize", {"id": upload["attachmentId"]})[0] == 404


@pytest.mark.parametrize("kind", sorted(TARGETS))
def test_of_other_targets_the_log_knows(office: Office, kind: str) -> None:
    target_id = TARGETS[kind](office)

    done = attached(office, target_id, kind=kind)

    row = office.log()[-1]
    assert (row.kind, row.subject_type, row.subject_id, row.action) == (None, kind, target_id, "attach")
    assert done["issueId"] == row.issue_id
    assert (row.issue_id is not None) is (kind == "comment")
    assert listed(office, target_id, kind) == [done["id"]]


def test_whoever_has_the_issue_hears_of_a_file(office: Office) -> None:
    agent, issue_id = office.an_agent(), an_issue(office)
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})

    attached(office, issue_id)

    assert [wake.agent_id for wake in office.log()[-1].wakes] == [agent["id"]]


def test_an_upload_that_is_never_finalized_is_swept_away_with_its_bytes_and_its_room(office: Office) -> None:
    issue_id = an_issue(office)
    kept = attached(office, issue_id)
    sent = begun(office, issue_id)
    unsent = office.call("attachments.initUpload", order_for(issue_id))

    office.world.clock.advance(minutes=59)
    office.sweep()
    still_there = stored(office, upload_name(sent["key"]))
    office.world.clock.advance(minutes=2)
    office.sweep()

    assert still_there
    assert not stored(office, upload_name(sent["key"]))
    assert (taken(office), taken(office, issue_id)) == (len(PICTURE), 1)
    for upload in (sent, unsent):
        assert item(office, upload["attachmentId"]) is None
        assert office.refused("attachments.finalize", {"key": upload["key"]})[0] == 404
    assert stored(office, kept["url"])
    assert listed(office, issue_id) == [kept["id"]]


def test_a_sweep_that_comes_in_between_leaves_no_file_without_bytes(office: Office) -> None:
    upload = begun(office)
    office.world.clock.advance(minutes=61)
    office.meanwhile(office.sweep)

    refused = office.refused("attachments.finalize", {"attachmentId": upload["attachmentId"]})

    assert refused[:2] == (404, "not_found")
    assert taken(office) == 0
    assert not any(stored(office, name) for name in (upload["key"], upload_name(upload["key"])))
