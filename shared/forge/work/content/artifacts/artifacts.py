"""Artifacts: documents that outlast the work they come from. Each keeps every text it has had."""

from datetime import datetime
from enum import StrEnum

from forge.context import Context
from forge.errors import NotFound, PreconditionFailed
from forge.store import keys
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Partition, Shared
from forge.store.places import In
from forge.store.readings import Rows
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.content.artifacts.announcements import ARTIFACT_WRITTEN, ArtifactTold
from forge.work.issues import heads
from forge.work.issues.desks import Desk
from forge.work.issues.issues import OF_ISSUE
from forge.work.issues.runs import signs
from forge.work.record import texts
from forge.work.record.log import events
from forge.work.record.texts import KeptText
from forge.work.workspace import taken_names
from forge.work.workspace.people.runtimes import EvidenceKind

MAX_OF_ISSUE = 100
"""An issue is read together with the links to all of them."""

KIND = "ARTIFACT"
_SHORT_SUMMARY = 200


class ArtifactType(StrEnum):
    DOCUMENT = "DOCUMENT"
    DECISION = "DECISION"
    RUNBOOK = "RUNBOOK"
    REPORT = "REPORT"
    SPEC = "SPEC"
    BRIEF = "BRIEF"
    VERIFICATION = "VERIFICATION"


class ArtifactStatus(StrEnum):
    DRAFT = "DRAFT"
    IN_REVIEW = "IN_REVIEW"
    ACCEPTED = "ACCEPTED"
    ARCHIVED = "ARCHIVED"


class SourceType(StrEnum):
    """What an artifact can be made of."""

    COMMENT = "comment"
    AGENT_RUN = "agent-run"
    ISSUE = "issue"
    NOTE = "note"
    CHAT_MESSAGE = "chat-message"


OF_ARTIFACT = Partition("WS#{workspace_id}#ARTIFACT#{artifact_id}")
ARTIFACTS_LISTED = Partition("WS#{workspace_id}#UPDATED#ARTIFACT")
ARTIFACT_COUNT = Shared("WS#{workspace_id}#REF#{issue_id}#artifacts", "REF", held_in=("pk", "sk"))
"""The number of an issue's artifacts must be on the desk of whoever adds one."""


class ArtifactItem(Item):
    """Everything but the text, which only its versions have: lists read this."""

    stored = At(OF_ARTIFACT, "X#META", artifact_id="id")
    indexed = (In("updated", ARTIFACTS_LISTED, "{updated_at}#{id}"),)

    workspace_id: str
    id: str
    slug: str
    title: str
    type: ArtifactType = ArtifactType.DOCUMENT
    status: ArtifactStatus = ArtifactStatus.DRAFT
    summary: str | None = None
    version_number: int = 1
    issue_id: str | None = None
    source_type: SourceType | None = None
    source_id: str | None = None
    evidence: EvidenceKind | None = None
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None

    @property
    def slug_owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, KIND, self.id, field="slug")


class ArtifactVersionItem(Item):
    """A text that the artifact has or had. Versions never change."""

    stored = At(OF_ARTIFACT, "V#{number:06}")

    workspace_id: str
    artifact_id: str
    number: int
    body: KeptText
    size: int
    """In bytes of UTF-8."""
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime


class ArtifactCountItem(Item):
    """How many artifacts an issue has. It changes without a version."""

    stored = ARTIFACT_COUNT

    pk: str
    sk: str
    artifacts: int


class ArtifactLinkItem(DerivedItem):
    """An artifact as its issue knows it: what is shown beside the issue, and what its list is made by.

    Whoever changes the artifact writes it, under the artifact's version.
    """

    stored = At(OF_ISSUE, "X#ARTIFACT#{id}")

    workspace_id: str
    issue_id: str
    id: str
    slug: str
    title: str
    type: ArtifactType
    status: ArtifactStatus
    evidence: EvidenceKind | None = None
    summary: str | None = None
    """Only its beginning."""
    updated_at: datetime

    @property
    def by_update(self) -> str:
        """Its place in the order of the last change."""
        return keys.by_age(self.updated_at, self.id)


def get(table: Table, workspace_id: str, artifact_id: str) -> ArtifactItem:
    key = ArtifactItem.at(workspace_id, artifact_id)
    return table.get(ArtifactItem, key, missing=no_such_artifact(artifact_id))


def written(ctx: Context, artifact: ArtifactItem, text: str) -> ArtifactVersionItem:
    """The version that the artifact has with this text, which is kept from now on."""
    name = f"{artifact.workspace_id}/{artifact.id}/{ctx.new_id('txt')}"
    return ArtifactVersionItem(
        workspace_id=artifact.workspace_id,
        artifact_id=artifact.id,
        number=artifact.version_number,
        body=texts.keep(ctx.services.store.blobs, text, name=name),
        size=len(text.encode()),
        created_by_id=ctx.caller.user_id,
        created_by_agent_id=ctx.caller.agent_id,
        created_at=ctx.now(),
    )


def add(
    tx: Transaction,
    artifact: ArtifactItem,
    version: ArtifactVersionItem,
    *,
    desk: Desk | None,
    action: str,
    changes_issue: bool = False,
) -> None:
    """Store a new artifact under its slug and announce it. The desk is its issue's, if it has one.

    Where the issue itself changes in the same transaction, nothing else needs to say that something happened.
    """
    tx.create(artifact)
    tx.create(version, refusal=overtaken)
    taken_names.take(tx, artifact.slug_owner, artifact.slug)
    if desk:
        _count(tx, desk)
        tx.keep_up(_link_of(artifact, desk.issue.id))
        if not changes_issue:
            _touch(tx, desk)
    _announce(tx, None, artifact, version=version, action=action)


def save(
    tx: Transaction,
    before: ArtifactItem,
    changed: ArtifactItem,
    *,
    version: ArtifactVersionItem | None,
    desk: Desk | None,
    action: str,
) -> ArtifactItem:
    """Store a changed artifact, with its new text if it has one, and announce it; as it became."""
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after)
    if version:
        tx.create(version, refusal=overtaken)
    taken_names.move(tx, after.slug_owner, old=before.slug, new=after.slug)
    if desk:
        tx.keep_up(_link_of(after, desk.issue.id))
        _touch(tx, desk)
    _announce(tx, before, after, version=version, action=action)
    return after


def links_in(parts: Rows) -> list[ArtifactLinkItem]:
    """The artifacts among the parts of an issue, the one that changed last first."""
    links = parts.of(ArtifactLinkItem)
    return sorted(links, key=lambda link: link.by_update, reverse=True)


def no_such_artifact(given: str) -> NotFound:
    return NotFound(f"There is no artifact {given[:64]!r}.", hint="artifacts.list shows them.")


def _touch(tx: Transaction, desk: Desk) -> None:
    heads.touch(tx, desk.issue)
    signs.see(tx, desk.issue.run_at_work_of(desk.ctx.caller.agent_id))


def _count(tx: Transaction, desk: Desk) -> None:
    """One more of the issue, unless it has as many as it may; two who add the very first both succeed."""
    place = ARTIFACT_COUNT(desk.issue.workspace_id, desk.issue.id)
    counted = desk.find(ArtifactCountItem, place)
    full = PreconditionFailed(
        f"An issue has at most {MAX_OF_ISSUE} artifacts.",
        hint="Update one that exists, or leave issueId out.",
    )
    if counted and counted.artifacts >= MAX_OF_ISSUE:
        raise full
    if counted:
        tx.adjust(place, add={"artifacts": 1}, below={"artifacts": MAX_OF_ISSUE}, refusal=full)
    else:
        tx.merge(place, add={"artifacts": 1})


def _link_of(artifact: ArtifactItem, issue_id: str) -> ArtifactLinkItem:
    summary = artifact.summary
    if summary and len(summary) > _SHORT_SUMMARY:
        summary = summary[: _SHORT_SUMMARY - 1] + "…"
    return ArtifactLinkItem.of(artifact, issue_id=issue_id, summary=summary)


def _announce(
    tx: Transaction,
    before: ArtifactItem | None,
    after: ArtifactItem,
    *,
    version: ArtifactVersionItem | None,
    action: str,
) -> None:
    """Wakes nobody, not even who has the issue: it is about the artifact."""
    number = {"version": version.number} if version else {}
    told = ArtifactTold(artifact_id=after.id, title=after.title, action=f"{action}d", **number)
    events.record(
        tx,
        ARTIFACT_WRITTEN,
        told,
        subject_id=after.id,
        action=action,
        before=before,
        after=after,
        issue_id=after.issue_id,
    )
