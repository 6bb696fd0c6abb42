"""Attachments as they are shown: beside what they hang on, and by themselves."""

from datetime import datetime

from forge.contract.models import Model, Omittable
from forge.work.content.attachments.attachments import (
    AttachmentKind,
    TargetType,
)
from forge.work.workspace.people.runtimes import EvidenceKind


class AttachmentBrief(Model):
    """Beside an issue. attachments.getDownloadUrl leads to a file."""

    id: str
    kind: AttachmentKind
    filename: str
    mime_type: str
    size: int
    external_url: Omittable[str] = None
    evidence: Omittable[EvidenceKind] = None
    created_at: datetime


class AttachmentView(Model):
    """`url` is where a link leads, and the key of a file: attachments.getDownloadUrl gives a URL for it."""

    id: str
    kind: AttachmentKind
    target_type: TargetType
    target_id: str
    issue_id: str | None
    filename: str
    mime_type: str
    size: int
    url: str
    external_url: Omittable[str] = None
    link_title: Omittable[str] = None
    evidence: Omittable[EvidenceKind] = None
    created_by_id: str | None
    created_by_agent_id: str | None
    created_at: datetime
