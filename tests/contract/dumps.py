"""Everything that a table holds, to compare it with what it held before or in another run.

Tables are read and set back inside the engine: asking it takes a hundred times as long, because it weighs
each item and writes all of them as text. It replaces items and never changes one, so a dump may share them.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from ministack.services import dynamodb as engine

from forge.store.store import Store

Attributes = Mapping[str, Any]
Dump = dict[tuple[str, str], Attributes]

_KEY_SORT = "KEY"
# What every call changes in the item of its own key.
_COUNTERS = frozenset({"last_used_at", "rpc_window", "rpc_count", "rest_window", "rest_count"})
_ID = re.compile(r"\b([a-z]+)_(\d{6})\b")
# Keys, the names of kept answers, the places in the timer index, which follow from a key, the ends of slugs,
# which follow from an id, what signs a URL, and the numbers of chunks, which may have gaps.
_RANDOM = [
    re.compile(pattern)
    for pattern in (
        r"(forge_sk_)[A-Za-z0-9_-]{8,}",
        r"(/)[0-9a-f]{32}",
        r"(DUE#)\d",
        r"((?<=[a-z])-)\d{6}\b",
        r"(X-Amz-(?:Date|Signature)=)[0-9A-Za-z]+",
        r'("seq": \{"N": ")\d+',
        # Of a repository: its secret, and the key of its project, which follows from an id.
        r"(whsec_)[A-Za-z0-9_-]{20,}",
        r"(\b[A-Z]{2})\d{6}\b",
        r"(#PROJECT#[a-z]{2})\d{6}\b",
    )
]
_NUMBER = re.compile(r'"number": \{"N": "(\d+)"\}')
_NUMBERED = (
    r'("number": \{{"N": "|"number": |number\\":|#REF#|"name": \{{"S": "|[A-Z]-|#0{{6,9}}|number (?=\d+"))'
    r"(?:{})\b"
)
_PULL_REQUEST = re.compile(r'("pr_number": \{"N": "|prNumber\\*": ?|/pulls/)\d+')
# Above every number that a test can reach, so that none is taken for another.
_FIRST = 1_000_000


def dump(store: Store) -> Dump:
    """Every item as it is stored."""
    partitions = engine._tables[store.table.name]["items"]
    return {(partition, sort): item for partition, rows in partitions.items() for sort, item in rows.items()}


def content(store: Store) -> Dump:
    """Every item, without what counts and keeps the calls of a key."""
    held = without_attempts(dump(store))
    return {place: _without(item, _counters_at(place)) for place, item in held.items()}


def restore(store: Store, wanted: Dump, *, present: Dump) -> None:
    """Put the table back to what it held."""
    table = engine._tables[store.table.name]
    for place in present.keys() - wanted.keys():
        engine._remove_item(table, *place)
    for place, item in wanted.items():
        if present.get(place) is not item:
            engine._set_item(table, *place, item)
    # Nobody reads the stream of such a table, and it would keep every version of every item.
    engine._stream_records.pop(store.table.name, None)


def changes(since: Dump, held: Dump, *, ignoring: frozenset[str] = frozenset()) -> list[Attributes]:
    """What is not as it was: items as they are now, and the keys of those that are gone."""
    before, after = _summed(without_attempts(since)), _summed(without_attempts(held))
    found: list[Attributes] = []
    for place in before.keys() | after.keys():
        left_out = _counters_at(place) | ignoring
        was, now = before.get(place), after.get(place)
        if was is now or is_outside_transactions(place[0]):
            continue
        if now is None:
            found.append({"gone": list(place)})
        elif was is None or _without(was, left_out) != _without(now, left_out):
            found.append(_without(now, left_out))
    return found


def comparable(changed: list[Attributes], said: object = None, *, newer_than: int) -> Any:
    """What another run of the same call would have changed and said, whatever its ids and random keys.

    Ids that the call made, whose numbers are higher than that, are numbered in their own order, the same in
    what is stored and what is said: an id that was said but not stored is no match.
    """
    text = _numbers_in_order(json.dumps([changed, said]))
    for item in changed:
        # A run names the key that was made for it.
        if "key_hash" in item and item["id"]["S"].startswith("key_"):
            text = text.replace(item["key_hash"]["S"], f"hash of {item['id']['S']}")
    stored, told = json.loads(_without_random(_renumbered(text, newer_than)))
    return sorted(stored, key=lambda item: json.dumps(item, sort_keys=True)), told


def is_outside_transactions(partition: str) -> bool:
    """Numbers that were given out and tickets that were taken: a call that fails may leave a gap."""
    return "#NUMBERS" in partition or "#TICKETS#" in partition


def without_unfound(dumped: Dump) -> Dump:
    """Without the texts of steps that no plan has taken up: written ahead by a call that came no further."""
    taken = {
        step["M"]["id"]["S"] for item in dumped.values() if _is_plan(item) for step in item["steps"]["L"]
    }
    return {
        place: item
        for place, item in dumped.items()
        if not is_step_text(item) or item["step_id"]["S"] in taken
    }


def without_attempts(dumped: Dump) -> Dump:
    """Without what is kept of calls beside what they change: as best it can be, and each time anew."""
    return {place: item for place, item in dumped.items() if not is_attempt(item)}


def is_attempt(item: Attributes) -> bool:
    return "M" in item.get("attempt", {})


def is_step_text(item: Attributes) -> bool:
    return {"step_id", "plan_id"} <= item.keys() and "#REF#step_" in item["pk"]["S"]


def _is_plan(item: Attributes) -> bool:
    return "#PLAN#" in item["pk"]["S"] and "steps" in item


def ids_in(*texts: object) -> set[str]:
    """Every id that these things mention, however deep."""
    return {found[0] for text in texts for found in _ID.finditer(json.dumps(text))}


def rows_of(dumped: Dump, kind: str) -> list[Attributes]:
    """The items of one kind, over all workspaces: `LOG`, `IDEMPOTENCY`."""
    return [item for place, item in dumped.items() if place[0].split("#")[2:3] == [kind]]


def _summed(dumped: Dump) -> Dump:
    """Each count as one item: in which of its shards something was counted is chance."""
    items: Dump = {place: item for place, item in dumped.items() if "#COUNT#" not in place[0]}
    for (partition, sort), item in dumped.items():
        if "#COUNT#" not in partition:
            continue
        place = partition, sort.rpartition("#")[0]
        so_far = int(items[place]["count"]["N"]) if place in items else 0
        total = {"N": str(so_far + int(item["count"]["N"]))}
        items[place] = {"pk": item["pk"], "sk": {"S": place[1]}, "count": total}
    return items


def _numbers_in_order(text: str) -> str:
    """Issue numbers without gaps: a call that is repeated may have thrown one away."""
    given = sorted({int(found) for found in _NUMBER.findall(text)})
    for place, number in enumerate(given, start=1):
        text = re.sub(_NUMBERED.format(number), rf"\g<1>{_FIRST + place}", text)
    return _PULL_REQUEST.sub(rf"\g<1>{_FIRST}", text)


def _counters_at(place: tuple[str, str]) -> frozenset[str]:
    return _COUNTERS if place[1] == _KEY_SORT else frozenset()


def _renumbered(text: str, newer_than: int) -> str:
    ids = sorted({found for found in _ID.findall(text) if int(found[1]) > newer_than})
    kinds = [kind for kind, _ in ids]
    names = {
        (kind, number): f"new {kind} {place - kinds.index(kind) + 1}"
        for place, (kind, number) in enumerate(ids)
    }
    return _ID.sub(lambda found: names.get((found[1], found[2]), found[0]), text)


def _without_random(text: str) -> str:
    for pattern in _RANDOM:
        text = pattern.sub(r"\1", text)
    return text


def _without(item: Attributes, names: frozenset[str]) -> Attributes:
    return {name: value for name, value in item.items() if name not in names}
