"""What may be done with an attachment."""

from datetime import UTC, datetime

import pytest

from forge.errors import Conflict, DomainError, InvalidInput, PayloadTooLarge
from forge.store.blobs import Stored
from forge.work.content.attachments.attachments import (
    AttachmentItem,
    AttachmentKind,
    AttachmentState,
    TargetType,
)
from forge.work.content.attachments.media import MAX_INLINE
from functions.attachments import rules


def a_file(**more: object) -> AttachmentItem:
    usual = AttachmentItem(
        workspace_id="ws_1",
        id="att_1",
        kind=AttachmentKind.FILE,
        target_type=TargetType.ISSUE,
        target_id="iss_1",
        filename="login.png",
        mime_type="image/png",
        size=10,
        blob="ws_1/attachments/issue/iss_1/att_1-login.png",
        state=AttachmentState.READY,
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
    )
    return usual.changed(**more)


def test_what_arrived_is_what_was_announced() -> None:
    rules.require_whole(a_file(), Stored(10, "image/png"))
    rules.require_whole(a_file(mime_type="text/plain"), Stored(10, "Text/plain; charset=utf-8"))


@pytest.mark.parametrize("stored", [None, Stored(9, "image/png"), Stored(10, "text/html")])
def test_anything_else_is_a_conflict(stored: Stored | None) -> None:
    with pytest.raises(Conflict):
        rules.require_whole(a_file(), stored)


@pytest.mark.parametrize(
    ("attachment", "error"),
    [
        (a_file(kind=AttachmentKind.LINK, blob=None), InvalidInput),
        (a_file(state=AttachmentState.PENDING), Conflict),
    ],
)
def test_only_a_file_that_is_there_can_be_fetched(
    attachment: AttachmentItem, error: type[DomainError]
) -> None:
    assert rules.require_file(a_file()) == a_file().blob
    with pytest.raises(error):
        rules.require_file(attachment)


@pytest.mark.parametrize(
    ("attachment", "most", "error"),
    [
        (a_file(mime_type="image/svg+xml"), 5000, InvalidInput),
        (a_file(mime_type="application/zip"), 5000, InvalidInput),
        (a_file(size=5001), 5000, PayloadTooLarge),
        (a_file(size=MAX_INLINE + 1), 25_000_000, PayloadTooLarge),
    ],
)
def test_inline_are_small_files_that_models_read(
    attachment: AttachmentItem, most: int, error: type[DomainError]
) -> None:
    rules.require_inline(a_file(size=MAX_INLINE), most=25_000_000)
    with pytest.raises(error) as refused:
        rules.require_inline(attachment, most=most)
    assert "attachments.getDownloadUrl" in str(refused.value.hint)
