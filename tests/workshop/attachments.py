"""Files and what they hang on; they are sent and fetched by a client that knows nothing but HTTP."""

from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from forge.store.keys import Key
from forge.work.content.attachments.attachments import AttachmentItem
from forge.work.content.attachments.room import OF_TARGET, RoomItem
from tests.workshop.cycles import a_cycle
from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Body, Office

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))

_direct = build_opener(ProxyHandler({}))


def a_comment(office: Office, issue_id: str | None = None) -> str:
    said = {"issueId": issue_id or an_issue(office), "body": "See the picture."}
    return str(office.call("comments.create", said)["id"])


def an_initiative(office: Office) -> str:
    return str(office.call("initiatives.create", {"name": "Fewer outages"})["id"])


TARGETS: dict[str, Callable[[Office], str]] = {
    "comment": a_comment,
    "project": a_project,
    "initiative": an_initiative,
    "cycle": a_cycle,
}
"""What else than an issue can have attachments."""


def order_for(target_id: str, kind: str = "issue", content: bytes = PICTURE, **more: object) -> Body:
    usual = {"filename": "login.png", "mimeType": "image/png", "size": len(content)}
    return {"targetType": kind, "targetId": target_id, **usual, **more}


def send(
    url: str, content: bytes | None = None, method: str = "GET", **headers: str
) -> tuple[int, bytes, Any]:
    request = Request(url, data=content, method=method, headers=headers)
    try:
        with _direct.open(request, timeout=10) as answer:
            return answer.status, answer.read(), answer.headers
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read(), refusal.headers


def put(upload: Body, content: bytes = PICTURE) -> int:
    """As the answer of initUpload says."""
    return send(upload["uploadUrl"], content, "PUT", **upload["headers"])[0]


def begun(
    office: Office,
    target_id: str | None = None,
    kind: str = "issue",
    content: bytes = PICTURE,
    **more: object,
) -> Body:
    """An upload whose bytes are sent, and that is not finalized."""
    order = order_for(target_id or an_issue(office), kind, content, **more)
    upload = office.call("attachments.initUpload", order)
    assert put(upload, content) == 200
    return upload


def attached(office: Office, target_id: str | None = None, kind: str = "issue", **more: Any) -> Body:
    upload = begun(office, target_id, kind, **more)
    return office.call("attachments.finalize", {"attachmentId": upload["attachmentId"]})


def linked(office: Office, target_id: str, kind: str = "issue", **more: object) -> Body:
    link = {"externalUrl": "https://docs.example.com/a", "linkTitle": "The design", **more}
    return office.call("attachments.attachLink", {"targetType": kind, "targetId": target_id, **link})


def listed(office: Office, target_id: str, kind: str = "issue", **more: object) -> list[str]:
    rows = office.rows("attachments.list", {"targetType": kind, "targetId": target_id, **more})
    return [row["id"] for row in rows]


def stored(office: Office, key: str) -> bool:
    return office.world.services.store.blobs.find(key) is not None


def taken(office: Office, target_id: str | None = None, kind: str = "issue") -> int:
    """The bytes of the workspace's files, or how many things hang on one target."""
    workspace_id = office.workspace.id
    place: Key = RoomItem.at(workspace_id)
    if target_id:
        place = OF_TARGET(workspace_id, kind, target_id)
    found = office.world.services.store.table.find(RoomItem, place)
    return found.taken if found else 0


def item(office: Office, attachment_id: str) -> AttachmentItem | None:
    place = AttachmentItem.at(office.workspace.id, attachment_id)
    return office.world.services.store.table.find(AttachmentItem, place)


def with_quota(office: Office, mebibytes: int) -> Office:
    office.call("workspaces.update", {"attachmentQuotaMb": mebibytes})
    return office
