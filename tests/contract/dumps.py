"""Everything that a table holds, to compare it with what it held before or in another run."""

import json
import re
from collections.abc import Mapping
from typing import Any

from forge.store.store import Store
from forge.testing.embedded import ask

Attributes = Mapping[str, Any]
Dump = dict[tuple[str, str], Attributes]

_KEY_SORT = "KEY"
# What every call changes in the item of its own key.
_COUNTERS = frozenset({"last_used_at", "rpc_window", "rpc_count", "rest_window", "rest_count"})
_ID = re.compile(r"\b([a-z]+)_(\d{6})\b")
# Keys, the names of kept answers, and the places in the timer index, which follow from a key.
_RANDOM = re.compile(r"(?<=forge_sk_)[A-Za-z0-9_-]{8,}|(?<=/)[0-9a-f]{32}|(?<=DUE#)\d")
_NUMBER = re.compile(r'"number": \{"N": "(\d+)"\}')
_NUMBERED = (
    r'("number": \{{"N": "|"number": |number\\":|#REF#|"name": \{{"S": "|[A-Z]-|number (?=\d+"))(?:{})\b'
)
# Above every number that a test can reach, so that none is taken for another.
_FIRST = 1_000_000
_MAX_BATCH = 25


def dump(store: Store) -> Dump:
    """Every item as it is stored."""
    request: dict[str, Any] = {"TableName": store.table.name, "ConsistentRead": True}
    items: Dump = {}
    while True:
        answer = ask("Scan", request)
        items |= {(item["pk"]["S"], item["sk"]["S"]): item for item in answer["Items"]}
        if "LastEvaluatedKey" not in answer:
            return items
        request |= {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def content(store: Store) -> Dump:
    """Every item, without what counts the calls of a key."""
    return {place: _without(item, _counters_at(place)) for place, item in dump(store).items()}


def restore(store: Store, wanted: Dump, *, present: Dump) -> None:
    """Put the table back to what it held."""
    changes: list[Any] = [
        {"DeleteRequest": {"Key": {"pk": item["pk"], "sk": item["sk"]}}}
        for place, item in present.items()
        if place not in wanted
    ]
    changes += [
        {"PutRequest": {"Item": item}} for place, item in wanted.items() if present.get(place) != item
    ]
    for start in range(0, len(changes), _MAX_BATCH):
        batch = {store.table.name: changes[start : start + _MAX_BATCH]}
        answer = ask("BatchWriteItem", {"RequestItems": batch})
        assert not answer["UnprocessedItems"]


def comparable(dumped: Dump, said: object = None, *, ignoring: frozenset[str] = frozenset()) -> Any:
    """What another run of the same calls would have left and said, whatever its ids and random keys.

    Ids are numbered in their own order, the same in both: an id that was said but not stored is no match.
    """
    items = [
        _without(item, _counters_at(place) | ignoring)
        for place, item in _summed(dumped).items()
        if not is_outside_transactions(place[0])
    ]
    text = _numbers_in_order(json.dumps([items, said]))
    for place, item in dumped.items():
        if place[1] == _KEY_SORT:
            text = text.replace(item["key_hash"]["S"], f"hash of {item['id']['S']}")
    stored, told = json.loads(_RANDOM.sub("", _renumbered(text)))
    return sorted(stored, key=lambda item: (item["pk"]["S"], item["sk"]["S"])), told


def is_outside_transactions(partition: str) -> bool:
    """Numbers that were given out and tickets that were taken: a call that fails may leave a gap."""
    return "#NUMBERS" in partition or "#TICKETS#" in partition


def ids_in(*texts: object) -> set[str]:
    """Every id that these things mention, however deep."""
    return {found[0] for text in texts for found in _ID.finditer(json.dumps(text))}


def rows_of(dumped: Dump, kind: str) -> list[Attributes]:
    """The items of one kind, over all workspaces: `LOG`, `IDEMPOTENCY`."""
    return [item for place, item in dumped.items() if place[0].split("#")[2:3] == [kind]]


def _summed(dumped: Dump) -> Dump:
    """Each count as one item: in which of its shards something was counted is chance."""
    items: Dump = {}
    for (partition, sort), item in dumped.items():
        if "#COUNT#" not in partition:
            items[partition, sort] = item
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
    return text


def _counters_at(place: tuple[str, str]) -> frozenset[str]:
    return _COUNTERS if place[1] == _KEY_SORT else frozenset()


def _renumbered(text: str) -> str:
    ids = sorted(set(_ID.findall(text)))
    kinds = [kind for kind, _ in ids]
    numbers = {
        (kind, number): f"{kind}_{place - kinds.index(kind) + 1}" for place, (kind, number) in enumerate(ids)
    }
    return _ID.sub(lambda found: numbers[found[1], found[2]], text)


def _without(item: Attributes, names: frozenset[str]) -> Attributes:
    return {name: value for name, value in item.items() if name not in names}
