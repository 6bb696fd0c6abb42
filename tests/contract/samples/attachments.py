"""Calls of the attachments' tools, most of them on an issue whose agent hears of it."""

from forge.work.content.attachments.media import upload_name
from tests.contract.samples.issues import an_idle_issue, an_issue
from tests.contract.stage import Arguments, Stage, sample

_TEXT = b"It hangs.\n"


def a_comment(stage: Stage) -> str:
    said = {"issueId": an_idle_issue(stage), "body": "See the log."}
    return str(stage.call("comments.create", said)["id"])


def _order(target_id: str, kind: str = "issue") -> Arguments:
    file = {"filename": "login.log", "mimeType": "text/plain", "size": len(_TEXT)}
    return {"targetType": kind, "targetId": target_id, **file}


def _uploaded(stage: Stage, target_id: str, kind: str = "issue") -> Arguments:
    """Its bytes are there, as if they had been sent by its URL."""
    upload = stage.call("attachments.initUpload", _order(target_id, kind))
    blobs = stage.world.services.store.blobs
    blobs.client.put_object(
        Bucket=blobs.bucket, Key=upload_name(upload["key"]), Body=_TEXT, ContentType="text/plain"
    )
    return {"attachmentId": upload["attachmentId"]}


def attached(stage: Stage, target_id: str, kind: str = "issue") -> Arguments:
    upload = _uploaded(stage, target_id, kind)
    stage.call("attachments.finalize", upload)
    return upload


def _attached_to_an_idle_issue(stage: Stage) -> Arguments:
    """Its agent is not at work any more when the file goes."""
    issue_id = an_issue(stage)
    file = attached(stage, issue_id)
    stage.give_without_a_run(issue_id)
    return file


def _link(target_id: str, **more: object) -> Arguments:
    return {"targetType": "issue", "targetId": target_id, "externalUrl": "https://docs.example.com/a", **more}


def _two(stage: Stage) -> Arguments:
    """So that there is a next page."""
    issue_id = an_idle_issue(stage)
    for title in ("One", "Two"):
        stage.call("attachments.attachLink", _link(issue_id, linkTitle=title))
    return {"targetType": "issue", "targetId": issue_id, "limit": 1}


SAMPLES = (
    sample("attachments.initUpload", lambda stage: _order(an_idle_issue(stage))),
    sample(
        "attachments.initUpload", lambda stage: _order(a_comment(stage), "comment"), variant="on a comment"
    ),
    sample(
        "attachments.initUpload", lambda stage: _order(stage.a_project(), "project"), variant="on a project"
    ),
    sample("attachments.finalize", lambda stage: _uploaded(stage, an_idle_issue(stage))),
    sample(
        "attachments.finalize",
        lambda stage: _uploaded(stage, a_comment(stage), "comment"),
        variant="on a comment",
    ),
    sample("attachments.attachLink", lambda stage: _link(an_idle_issue(stage), linkTitle="The design")),
    sample(
        "attachments.attachLink", lambda stage: _link(an_idle_issue(stage)), variant="by the name of its host"
    ),
    sample("attachments.list", _two),
    sample("attachments.getDownloadUrl", lambda stage: attached(stage, an_idle_issue(stage))),
    sample(
        "attachments.getDownloadUrl",
        lambda stage: attached(stage, stage.a_project(), "project"),
        variant="of a project",
    ),
    sample(
        "attachments.getInline", lambda stage: {**attached(stage, an_idle_issue(stage)), "maxBytes": 4096}
    ),
    sample("attachments.delete", _attached_to_an_idle_issue),
    sample(
        "attachments.delete",
        lambda stage: attached(stage, a_comment(stage), "comment"),
        variant="of a comment",
    ),
)
