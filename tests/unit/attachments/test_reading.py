"""attachments.list, getDownloadUrl and getInline, and issues that show their attachments."""

import json
from base64 import b64decode, b64encode

import pytest

from tests.workshop.attachments import PICTURE, a_comment, attached, begun, linked, listed, send
from tests.workshop.issues import an_issue
from tests.workshop.office import Office


def test_files_and_links_are_listed_by_age_in_pages(office: Office) -> None:
    issue_id = an_issue(office)
    ids = [linked(office, issue_id)["id"], attached(office, issue_id)["id"], linked(office, issue_id)["id"]]
    begun(office, issue_id)
    where = {"targetType": "issue", "targetId": issue_id}

    first = office.call("attachments.list", {**where, "limit": 2, "fields": ["filename"]})
    second = office.call("attachments.list", {**where, "limit": 2, "cursor": first["nextCursor"]})

    assert [row["id"] for row in first["data"] + second["data"]] == ids == listed(office, issue_id)
    assert first["data"][0] == {"id": ids[0], "filename": "The design"}
    assert "nextCursor" not in second


def test_a_file_comes_back_as_it_was_and_to_be_saved(office: Office) -> None:
    file = attached(office, filename="Größe.png")

    url = office.call("attachments.getDownloadUrl", {"attachmentId": file["id"]})
    status, content, headers = send(url["url"])

    assert (status, content) == (200, PICTURE)
    assert url.keys() == {"url", "filename", "mimeType", "size", "expiresInSeconds"}
    assert (url["filename"], url["mimeType"], url["expiresInSeconds"]) == ("Größe.png", "image/png", 900)
    assert headers["content-type"] == "image/png"
    assert headers["content-disposition"] == (
        "attachment; filename=\"Gr__e.png\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.png"
    )


def test_a_page_is_never_served_as_one(office: Office) -> None:
    file = attached(office, content=b"<script>", mimeType="text/html", filename="a.html")

    url = office.call("attachments.getDownloadUrl", {"attachmentId": file["id"]})["url"]

    assert send(url)[2]["content-type"] == "application/octet-stream"


def test_a_small_file_comes_inside_the_answer(office: Office) -> None:
    file = attached(office)

    inline = office.call("attachments.getInline", {"attachmentId": file["id"]})

    assert b64decode(inline.pop("base64")) == PICTURE
    assert inline == {
        "id": file["id"],
        "mimeType": "image/png",
        "sizeBytes": len(PICTURE),
        "filename": "login.png",
    }


@pytest.mark.parametrize("is_called_by_name", [True, False], ids=["itself", "through catalog.call"])
@pytest.mark.parametrize(
    ("content", "mime_type", "kind"),
    [
        (PICTURE, "image/png", "image"),
        ("Grüße".encode(), "text/markdown", "text"),
        (b'{"a": 1}', "application/json", "text"),
        (b"%PDF-1.7", "application/pdf", "resource"),
        ("Grüße".encode("latin-1"), "text/plain", "resource"),
    ],
)
def test_over_mcp_a_file_is_one_block_that_a_model_takes_and_its_data_another(
    office: Office, content: bytes, mime_type: str, kind: str, *, is_called_by_name: bool
) -> None:
    wanted = {"attachmentId": attached(office, content=content, mimeType=mime_type, filename="it")["id"]}
    tool = ("attachments_getInline", wanted)
    by_another = ("catalog_call", {"name": "attachments_getInline", "arguments": wanted})

    result = office.world.call(*(tool if is_called_by_name else by_another), key=office.owner_key)

    file, data = result["content"]
    resource = {"uri": f"forge://attachments/{wanted['attachmentId']}", "mimeType": mime_type}
    encoded = b64encode(content).decode()
    assert (
        file
        == {
            "image": {"type": "image", "data": encoded, "mimeType": mime_type},
            "text": {"type": "text", "text": content.decode(errors="replace")},
            "resource": {"type": "resource", "resource": {**resource, "blob": encoded}},
        }[kind]
    )
    assert json.loads(data["text"]) == {
        "id": wanted["attachmentId"],
        "mimeType": mime_type,
        "sizeBytes": len(content),
        "filename": "it",
    }
    assert "structuredContent" not in result


def test_what_is_not_sent_inline_is_refused_with_the_other_way(office: Office) -> None:
    issue_id = an_issue(office)
    archive = attached(office, issue_id, mimeType="application/zip")
    large = attached(office, issue_id, content=bytes(2000))
    refusals = [
        office.refused("attachments.getInline", {"attachmentId": linked(office, issue_id)["id"]}),
        office.refused("attachments.getInline", {"attachmentId": archive["id"]}),
        office.refused("attachments.getInline", {"attachmentId": large["id"], "maxBytes": 1024}),
        office.refused("attachments.getDownloadUrl", {"attachmentId": linked(office, issue_id)["id"]}),
        office.refused("attachments.getDownloadUrl", {"attachmentId": begun(office)["attachmentId"]}),
    ]

    assert [status for status, _, _ in refusals] == [400, 400, 413, 400, 409]


def test_with_a_comment_its_files_are_gone_but_their_room_can_be_had_back(office: Office) -> None:
    comment_id = a_comment(office)
    file = attached(office, comment_id, kind="comment")
    office.call("comments.delete", {"id": comment_id})

    read = office.refused("attachments.getDownloadUrl", {"attachmentId": file["id"]})
    where = {"targetType": "comment", "targetId": comment_id}

    assert read[0] == office.refused("attachments.list", where)[0] == 404
    assert office.call("attachments.delete", {"attachmentId": file["id"]}) == {"ok": True}


def test_an_issue_shows_its_files_and_links_and_no_unfinished_ones(office: Office) -> None:
    issue_id = an_issue(office)
    link, file = linked(office, issue_id), attached(office, issue_id)
    begun(office, issue_id)

    shown = office.call("issues.get", {"id": issue_id, "include": {"attachments": True}})["attachments"]
    bundled = office.call("agent.context.bundle", {"issueId": issue_id})["attachments"]

    assert [row["id"] for row in shown] == [row["id"] for row in bundled] == [link["id"], file["id"]]
    assert shown[0]["externalUrl"] == bundled[0]["externalUrl"] == link["url"]
    assert shown[1] == {
        "id": file["id"],
        "kind": "FILE",
        "filename": "login.png",
        "mimeType": "image/png",
        "size": len(PICTURE),
        "createdAt": file["createdAt"],
    }


def test_of_many_long_links_as_many_are_shown_as_can_be_sent(office: Office) -> None:
    issue_id = an_issue(office)
    long = f"https://docs.example.com/{'a' * 2000}"
    ids = [linked(office, issue_id, externalUrl=long)["id"] for _ in range(22)]

    shown = office.call("issues.get", {"id": issue_id, "include": {"attachments": True}})
    bundle = office.call("agent.context.bundle", {"issueId": issue_id})

    for answer in (shown, bundle):
        assert answer["attachmentsTruncated"] is True
        assert 10 < len(answer["attachments"]) < 22
        assert answer["attachments"][-1]["id"] == ids[-1]
