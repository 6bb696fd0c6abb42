"""Pages of an issue's relations."""

from collections.abc import Sequence

from forge.store import keys
from forge.store.cursors import decode_cursor, encode_cursor
from forge.store.physical import PARTITION, SORT
from forge.work.issues.views import brief_of
from forge.work.paging.listing import MAX_ANSWER, length_of
from forge.work.relations.views import RelationView, mirror_view, relation_view
from functions.relations.models import Relations
from functions.relations.repository import Related

# What an answer holds besides its rows: its braces, a cursor, and that it was cut.
_ENVELOPE = 1_100


def views(related: Related) -> list[RelationView]:
    """Both directions of each, oldest first; of issues that the caller may not see, nothing."""
    found: list[RelationView | None] = []
    for relation in related.relations:
        other = related.desk.visible(relation.other_id)
        if other is not None:
            brief = brief_of(other, related.desk.names)
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
