"""Issues and what holds them together, as callers make it and as it is stored."""

from collections.abc import Iterable
from itertools import pairwise

from forge.store.ranges import SortRange
from forge.testing.builders import an_issue as an_issue_item
from forge.work.issues.followers import HELD_QUEUE, QUEUE, QueueItem
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import OF_ISSUE
from forge.work.issues.relations.relations import RelationItem, RelationKind
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from tests.workshop.issues import table
from tests.workshop.office import Body, Office

KINDS = ("BLOCKS", "BLOCKED_BY", "DUPLICATES", "RELATES_TO")
MIRRORED = {"BLOCKS": "BLOCKED_BY", "BLOCKED_BY": "BLOCKS"}


def relating(from_id: str, kind: str, to_id: str) -> Body:
    return {"fromIssueId": from_id, "toIssueId": to_id, "kind": kind}


def relate(office: Office, from_id: str, kind: str, to_id: str, **how: str) -> Body:
    return office.call("relations.add", relating(from_id, kind, to_id), **how)


def chain(office: Office, ids: Iterable[str]) -> None:
    """Each blocks the next."""
    for blocker, blocked in pairwise(ids):
        relate(office, blocker, "BLOCKS", blocked)


def remove(office: Office, relation_id: str, **how: str) -> Body:
    return office.call("relations.remove", {"relationId": relation_id}, **how)


def relations_of(office: Office, issue_id: str, **how: str) -> list[Body]:
    return office.rows("relations.listForIssue", {"issueId": issue_id}, **how)


def claim(office: Office, **how: str) -> str | None:
    """What the queue offers as the best."""
    claimed = office.call("issues.claim", {}, **how)["claimed"]
    return claimed and str(claimed["id"])


def rows_of(office: Office, issue_id: str) -> list[RelationItem]:
    partition = OF_ISSUE(office.workspace.id, issue_id)
    rows = table(office).query_all(partition, most=200, sort=SortRange(prefix=RelationItem.stored.prefix()))
    return [RelationItem.from_attributes(row) for row in rows]


def reference(office: Office, relation_id: str) -> ReferenceItem | None:
    return table(office).find(ReferenceItem, ReferenceItem.at(office.workspace.id, relation_id))


def queue(office: Office) -> set[str]:
    """What waits and what is held, as the queue's rows say."""
    workspace_id = office.workspace.id
    partitions = QUEUE(workspace_id), HELD_QUEUE(workspace_id)
    rows = [row for partition in partitions for row in table(office).query_all(partition, most=500)]
    found = [QueueItem.from_attributes(row).issue_id for row in rows]
    assert len(found) == len(set(found))
    return set(found)


def events(office: Office) -> list[LogItem]:
    """What was told of relations."""
    return [row for row in office.log() if row.kind is EventKind.ISSUE_UPDATED and "relation" in row.payload]


def stored_relations(office: Office, issue_id: str, number: int) -> list[RelationItem]:
    """So many relations of an issue, on its own side alone, to issues that there are not."""
    rows = [
        RelationItem(
            workspace_id=office.workspace.id,
            id=office.world.ids("rel"),
            issue_id=issue_id,
            other_id=f"iss_none{place:03}",
            kind=RelationKind.RELATES_TO,
            created_at=office.world.clock(),
        )
        for place in range(number)
    ]
    office.put(*rows)
    return rows


def stored_chain(office: Office, number: int) -> list[str]:
    """So many issues of which each blocks the next, without a call for each."""
    ids = [office.world.ids("iss") for _ in range(number)]
    office.put(
        *(
            an_issue_item(
                workspace_id=office.workspace.id,
                id=one,
                number=10_000 + place,
                blocks=ids[place + 1 : place + 2],
                open_blockers=min(place, 1),
            )
            for place, one in enumerate(ids)
        )
    )
    return ids
