"""attachments.delete."""

import pytest

from forge.testing.faults import Fault, FaultAt, ProcessDied
from tests.workshop.attachments import PICTURE, attached, begun, item, linked, listed, put, stored, taken
from tests.workshop.interference import COMMIT, only
from tests.workshop.issues import an_issue
from tests.workshop.office import Office


def test_a_deleted_file_is_gone_with_its_bytes_and_its_room(office: Office) -> None:
    issue_id = an_issue(office)
    file = attached(office, issue_id)

    answer = office.call("attachments.delete", {"attachmentId": file["id"]})

    told = {"id": file["id"], "kind": "FILE", "filename": "login.png", "mimeType": "image/png"}
    assert answer == {"ok": True}
    assert (listed(office, issue_id), taken(office), taken(office, issue_id)) == ([], 0, 0)
    assert not stored(office, file["url"])
    assert office.log()[-1].payload == {"attachment": told | {"size": len(PICTURE)}, "removed": True}
    assert office.refused("attachments.delete", {"attachmentId": file["id"]})[0] == 404
    assert office.refused("attachments.getInline", {"attachmentId": file["id"]})[0] == 404


def test_bytes_that_are_sent_once_more_by_the_old_url_are_swept_away_when_it_has_ended(
    office: Office,
) -> None:
    upload = begun(office)
    office.call("attachments.delete", {"attachmentId": upload["attachmentId"]})
    assert put(upload) == 200

    office.world.clock.advance(minutes=16)
    office.sweep()
    is_still_known = item(office, upload["attachmentId"]) is not None
    office.world.clock.advance(minutes=45)
    office.sweep()

    assert is_still_known
    assert item(office, upload["attachmentId"]) is None
    assert not stored(office, upload["key"])


def test_a_link_leaves_nothing_behind(office: Office) -> None:
    issue_id = an_issue(office)
    link = linked(office, issue_id)

    office.call("attachments.delete", {"id": link["id"]})

    assert item(office, link["id"]) is None
    assert (listed(office, issue_id), taken(office, issue_id)) == ([], 0)


def test_an_upload_can_be_called_off_and_nobody_is_told(office: Office) -> None:
    upload = begun(office)

    office.call("attachments.delete", {"attachmentId": upload["attachmentId"]})

    assert (office.log()[-1].kind, office.log()[-1].action) == (None, "cancel-upload")
    assert (taken(office), stored(office, upload["key"])) == (0, False)
    assert office.refused("attachments.finalize", {"key": upload["key"]})[0] == 404


def test_bytes_that_are_gone_already_are_no_reason_to_fail(office: Office) -> None:
    file = attached(office)
    office.world.services.store.blobs.delete(file["url"])

    assert office.call("attachments.delete", {"attachmentId": file["id"]}) == {"ok": True}


def test_of_two_who_delete_one_gives_the_room_back(office: Office) -> None:
    file = attached(office)
    order = {"attachmentId": file["id"]}
    office.meanwhile(lambda: office.call("attachments.delete", order))

    second = office.refused("attachments.delete", order)

    assert second[0] == 404
    assert taken(office) == 0


def test_after_a_crash_the_sweep_removes_the_bytes(office: Office) -> None:
    file = attached(office)
    office.interference.handle = only(COMMIT, FaultAt(Fault.CRASHED_AFTER, 0))

    with pytest.raises(ProcessDied):
        office.send("attachments.delete", {"attachmentId": file["id"]})
    left_behind = stored(office, file["url"])
    office.world.clock.advance(minutes=61)
    office.sweep()

    assert left_behind
    assert not stored(office, file["url"])
    assert taken(office) == 0


def test_a_change_that_was_not_made_removes_no_bytes(office: Office) -> None:
    file = attached(office)
    office.interference.handle = only(COMMIT, FaultAt(Fault.CRASHED, 0))

    with pytest.raises(ProcessDied):
        office.send("attachments.delete", {"attachmentId": file["id"]})

    assert stored(office, file["url"])
