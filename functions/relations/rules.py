"""How many relations an issue may have, that nothing blocks itself, and how relations are shown."""

from collections.abc import Sequence

from forge.errors import Conflict, PreconditionFailed
from forge.store import keys
from forge.store.cursors import decode_cursor, encode_cursor
from forge.store.keys import Key
from forge.store.physical import PARTITION, SORT
from forge.work.issues import issue_keys, issues
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, may_see
from forge.work.issues.issues import MAX_BLOCKED, IssueItem
from forge.work.issues.views import brief_of
from forge.work.issues.whole import MAX_RELATIONS
from forge.work.log.events import EventKind
from forge.work.paging.listing import MAX_ANSWER, length_of
from forge.work.people import people_keys
from forge.work.relations import relations
from forge.work.relations.relations import RelationItem, RelationKind
from forge.work.relations.views import RelationView, mirror_view, relation_view
from functions.relations.models import AddedRelation, Relations
from functions.relations.repository import Pair

MAX_WALKED = 200
"""Issues that are looked at to find a cycle, the two that are to be related among them."""

# What an answer holds besides its rows: its braces, a cursor, and that it was cut.
_ENVELOPE = 1_100


def require_possible(pair: Pair, kind: RelationKind) -> None:
    """Room in both issues and, where one would block the other, in the graph of blockers."""
    for end in (pair.subject, pair.other):
        if len(end.relations) >= MAX_RELATIONS:
            raise PreconditionFailed(
                f"{_name(pair.desk, end.issue)} has {MAX_RELATIONS} relations, which is the most.",
                hint="Remove one with relations.remove first; relations.listForIssue shows them.",
            )
    ends = pair.blocking(kind)
    if ends is None:
        pair.desk.fetch(hearers(pair.desk))
        return
    blocker, blocked = ends
    if len(blocker.blocks) >= MAX_BLOCKED:
        raise PreconditionFailed(
            f"{_name(pair.desk, blocker)} blocks {MAX_BLOCKED} issues, which is the most.",
            hint="Let it block one issue that blocks the others, or remove a relation first.",
        )
    # Together with the first step of the walk, so that the agent costs no request of its own.
    first = [issue_keys.head(blocked.workspace_id, issue_id) for issue_id in blocked.blocks]
    pair.desk.fetch([*hearers(pair.desk), *first])
    _require_no_cycle(pair.desk, blocker, blocked)


def add(change: IssueChange, pair: Pair, kind: RelationKind) -> RelationItem:
    tx, other = change.tx, pair.other.issue
    relation = relations.new(tx, kind, issue_id=change.issue.id, other_id=other.id)
    relations.add(tx, relation)
    if pair.blocking(kind):
        relations.move_graph(tx, relation.workspace_id, pair.graph)
    _settle(change, relation, other, is_added=True)
    return relation


def remove(change: IssueChange, relation: RelationItem, other: IssueItem) -> None:
    relations.remove(change.tx, relation)
    _settle(change, relation, other, is_added=False)


def hearers(desk: Desk) -> list[Key]:
    """The agent that is told of it: whoever has the issue, unless it is the one that calls."""
    agent_id = desk.issue.assigned_agent_id
    if agent_id is None or agent_id == desk.ctx.caller.agent_id:
        return []
    return [people_keys.agent(desk.issue.workspace_id, agent_id)]


def added(pair: Pair, relation: RelationItem) -> AddedRelation:
    names = pair.desk.names
    mine, theirs = brief_of(pair.subject.issue, names), brief_of(pair.other.issue, names)
    return AddedRelation(
        relation=relation_view(relation, theirs),
        reciprocal=relation_view(relation.counterpart, mine) if relation.mirror_id else None,
    )


def views(desk: Desk, rows: Sequence[RelationItem]) -> list[RelationView]:
    """Both directions of each, oldest first; of issues that the caller may not see, nothing."""
    found: list[RelationView | None] = []
    for relation in rows:
        other = desk.find(IssueItem, issue_keys.head(relation.workspace_id, relation.other_id))
        if other is not None and may_see(desk.ctx, other):
            brief = brief_of(other, desk.names)
            found += [relation_view(relation, brief), mirror_view(relation, brief)]
    return sorted((view for view in found if view), key=_place)


def page(partition: str, rows: Sequence[RelationView], *, limit: int, after: str) -> Relations:
    """Those that come after a position, and no more than can be sent."""
    rest = [row for row in rows if _place(row) > after]
    size = min(limit, _fitting(rest))
    if size >= len(rest):
        return Relations(data=rest)
    following = encode_cursor({PARTITION: partition, SORT: _place(rest[size - 1])})
    return Relations(data=rest[:size], next_cursor=following, truncated=size < limit or None)


def position_of(cursor: str, partition: str) -> str:
    def is_of_this_list(position: dict[str, str]) -> bool:
        return position.keys() == {PARTITION, SORT} and position[PARTITION] == partition

    return decode_cursor(cursor, is_of_this_list)[SORT]


def _settle(change: IssueChange, relation: RelationItem, other: IssueItem, *, is_added: bool) -> None:
    """Change the heads with the relation, and tell of it."""
    after, other_after = relations.settled(relation, change.issue, other, is_added=is_added)
    change.set(blocks=after.blocks, open_blockers=after.open_blockers)
    if other_after != other:
        issues.save(change.tx, other, other_after)
    told = {"id": relation.id, "kind": relation.kind, "toIssueId": relation.other_id}
    done, action = ("added", "add-relation") if is_added else ("removed", "remove-relation")
    change.announce(EventKind.ISSUE_UPDATED, {"relation": told, done: True}, action=action)
    change.save()


def _require_no_cycle(desk: Desk, blocker: IssueItem, blocked: IssueItem) -> None:
    """Refuse it when the blocked issue blocks its blocker already, however indirectly."""
    seen = {blocker.id, blocked.id}
    level = blocked.blocks
    while level:
        if blocker.id in level:
            raise Conflict(
                f"{_name(desk, blocked)} blocks {_name(desk, blocker)} already, itself or through others.",
                hint="relations.listForIssue shows what blocks what; remove what is not so any more.",
            )
        level = [issue_id for issue_id in dict.fromkeys(level) if issue_id not in seen]
        seen.update(level)
        if len(seen) > MAX_WALKED:
            raise PreconditionFailed(
                f"More than {MAX_WALKED} issues wait for {_name(desk, blocked)}, itself or through others.",
                hint="Relate fewer issues: only what really can't begin before another is done.",
            )
        heads = [issue_keys.head(blocked.workspace_id, issue_id) for issue_id in level]
        desk.fetch(heads)
        found = [issue for head in heads if (issue := desk.find(IssueItem, head))]
        level = [issue_id for issue in found for issue_id in issue.blocks]


def _name(desk: Desk, issue: IssueItem) -> str:
    return desk.names.identifier(issue.number)


def _place(view: RelationView) -> str:
    return f"{keys.sortable_time(view.created_at)}#{view.id}"


def _fitting(rows: Sequence[RelationView]) -> int:
    """How many of them an answer can hold; always at least one."""
    room = MAX_ANSWER - _ENVELOPE
    for place, row in enumerate(rows):
        room -= length_of(row) + len(",")
        if room < 0 and place:
            return place
    return len(rows)
