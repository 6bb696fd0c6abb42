"""Artifacts, the issues that they belong to, and what is stored of both."""

from forge.context import KeyKind
from forge.store.ranges import SortRange
from forge.testing.builders import an_artifact as an_artifact_item
from forge.work.content.artifacts import artifacts
from forge.work.content.artifacts.artifacts import (
    ARTIFACT_COUNT,
    OF_ARTIFACT,
    ArtifactLinkItem,
    ArtifactVersionItem,
)
from forge.work.issues.issues import OF_ISSUE
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from forge.work.record.texts import KeptText
from tests.workshop.issues import an_issue, table
from tests.workshop.office import Body, Office
from tests.workshop.time import shown

A_REPORT = {"title": "Why the login hangs", "body": "# Findings\nThe cache."}
LONG = "ü😀" * 20_000
"""Above what an item takes, in bytes and not in characters."""


def an_artifact(office: Office, *, key: str | None = None, **more: object) -> Body:
    return office.call("artifacts.create", A_REPORT | more, key=key or office.owner_key)


def parts(office: Office, artifact_id: str) -> list[str]:
    """Its text, as it comes part by part."""
    found = [office.call("artifacts.get", {"id": artifact_id})]
    while "nextOffset" in found[-1]:
        where = {"offset": found[-1]["nextOffset"], "version": found[0]["version"]}
        found.append(office.call("artifacts.get", {"id": artifact_id, **where}))
    return [part["body"] for part in found]


def an_engaged_key(office: Office, issue_id: str, mode: str) -> str:
    """Of an agent that has a live run on the issue in this mode."""
    agent_id = office.an_agent(office.world.ids("agent").replace("_", ""))["id"]
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": mode})
    return office.world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id, workspace=office.workspace)


def links(office: Office, issue_id: str) -> list[ArtifactLinkItem]:
    """As the issue has them, the one that changed last first."""
    partition = OF_ISSUE(office.workspace.id, issue_id)
    rows = table(office).query_all(
        partition, most=200, sort=SortRange(prefix=ArtifactLinkItem.stored.prefix())
    )
    return artifacts.links_in(rows)


def versions(office: Office, artifact_id: str) -> list[ArtifactVersionItem]:
    """Every version as stored, oldest first."""
    partition = OF_ARTIFACT(office.workspace.id, artifact_id)
    rows = table(office).query_all(partition, most=100, sort=SortRange(prefix="V#"))
    return [ArtifactVersionItem.from_attributes(row) for row in rows]


def events(office: Office, artifact_id: str) -> list[LogItem]:
    """What was told of an artifact, oldest first."""
    about = ("artifact", artifact_id)
    found = [row for row in office.log() if (row.subject_type, row.subject_id) == about]
    assert all(row.kind is EventKind.ISSUE_UPDATED for row in found)
    return found


def now(office: Office) -> str:
    return shown(office.world.clock())


def a_full_issue(office: Office, *, but: int = 0) -> str:
    """An issue that has as many artifacts as it may, but for so many: only the number is stored."""
    issue_id = an_issue(office)
    tx = office.begin()
    place = ARTIFACT_COUNT(office.workspace.id, issue_id)
    tx.merge(place, add={"artifacts": artifacts.MAX_OF_ISSUE - but})
    office.commit(tx)
    return issue_id


def stored_artifacts(office: Office, issue_ids: list[str | None], **fields: object) -> list[str]:
    """One of each issue, as stored and without links; the ids, in the order of the list."""
    made = []
    for issue_id in issue_ids:
        office.world.clock.advance(seconds=1)
        own = {"id": office.world.ids("art"), "issue_id": issue_id}
        made.append(an_artifact_item(**office.here_and_now, **own, **fields))
    office.put(*made)
    return [artifact.id for artifact in reversed(made)]


def stored_versions(office: Office, artifact_id: str, number: int, text: str) -> None:
    """So many more versions with this text, as stored."""
    first = len(versions(office, artifact_id)) + 1
    office.put(
        *(
            ArtifactVersionItem(
                workspace_id=office.workspace.id,
                artifact_id=artifact_id,
                number=place,
                body=KeptText(text=text),
                size=len(text.encode()),
                created_at=office.world.clock(),
            )
            for place in range(first, first + number)
        )
    )
    tx = office.begin()
    artifact = artifacts.get(table(office), office.workspace.id, artifact_id)
    tx.replace(artifact.changed(version_number=first + number - 1))
    office.commit(tx)
