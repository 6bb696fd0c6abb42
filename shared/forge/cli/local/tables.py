"""DynamoDB: which documents a request touches, what has become of them, and how to put them back."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ministack.services import dynamodb

from forge.cli.local.documents import ITEM, TABLE, TOKEN, TTL, Change, Documents, Step

READING = frozenset(
    {"BatchGetItem", "DescribeEndpoints", "DescribeLimits", "DescribeTable", "DescribeTimeToLive", "GetItem"}
    | {"ListTables", "ListTagsOfResource", "Query", "Scan", "TransactGetItems"}
    | {"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}
)
WRITING = frozenset(
    {"BatchWriteItem", "CreateTable", "DeleteItem", "DeleteTable", "PutItem", "TransactWriteItems"}
    | {"UpdateItem", "UpdateTimeToLive"}
)

ACTS: dict[str, Callable[[dict[str, Any]], tuple[int, dict[str, Any], bytes]]] = {
    "BatchGetItem": dynamodb._batch_get_item,
    "BatchWriteItem": dynamodb._batch_write_item,
    "GetItem": dynamodb._get_item,
    "Query": dynamodb._query,
    "TransactWriteItems": dynamodb._transact_write_items,
    "UpdateItem": dynamodb._update_item,
}
"""What tools ask for, each as the engine does it: a request that was read need not be read again."""

_NO_SORT_KEY = "__no_sort__"
_DERIVED = frozenset({"items", "_index_members", "ItemCount", "TableSizeBytes"})


class _Place(NamedTuple):
    table: str
    partition: str
    sort: str


class Before:
    """How everything that a request can touch was; made in the turn that executes it."""

    def __init__(self, body: bytes | dict[str, Any]) -> None:
        known = body if isinstance(body, dict) else read(body) or {}
        places = {place for name, attributes in _named(known) if (place := _place(name, attributes))}
        self._items = {place: _item(place) for place in places}
        name = known.get("TableName")
        self._table = dynamodb._normalize_table_name(name) if isinstance(name, str) else None
        self._definition = dynamodb._tables.get(self._table)
        self._ttl = dynamodb._ttl_settings.get(self._table)
        token = known.get("ClientRequestToken")
        self._token = token if isinstance(token, str) else None
        self._answered = dynamodb._txn_idempotency.get(self._token)
        self._streams = [_Stream(name) for name in {self._table, *(place.table for place in places)} if name]

    def step(self) -> Step:
        """What the request did since."""
        return Step([*self._changed_items(), *self._changed_definition(), *self._new_token()], self._undo)

    def _changed_items(self) -> Iterator[Change]:
        for place, old in self._items.items():
            now = _item(place)
            if now is not old:
                yield Change((ITEM, *place), now)

    def _changed_definition(self) -> Iterator[Change]:
        if self._table is None:
            return
        definition = dynamodb._tables.get(self._table)
        if definition is not self._definition:
            yield Change((TABLE, self._table), definition and _described(definition))
            if self._definition:
                yield from [Change(path, None) for path in _items_of(self._table, self._definition)]
        ttl = dynamodb._ttl_settings.get(self._table)
        if ttl is not self._ttl:
            yield Change((TTL, self._table), ttl)

    def _new_token(self) -> Iterator[Change]:
        answered = dynamodb._txn_idempotency.get(self._token)
        if self._token is not None and answered is not self._answered:
            yield Change((TOKEN, self._token), answered)

    def _undo(self) -> None:
        for place, old in self._items.items():
            table = dynamodb._tables.get(place.table)
            if table is None or _item(place) is old:
                continue
            if old is None:
                dynamodb._remove_item(table, place.partition, place.sort)
            else:
                dynamodb._set_item(table, place.partition, place.sort, old)
        if self._table is not None:
            _put_back(dynamodb._tables, self._table, self._definition)
            _put_back(dynamodb._ttl_settings, self._table, self._ttl)
        if self._token is not None:
            _put_back(dynamodb._txn_idempotency, self._token, self._answered)
        for stream in self._streams:
            stream.put_back()


def read(body: bytes) -> dict[str, Any] | None:
    """What is asked for, if it can be read."""
    try:
        request = json.loads(body)
    except ValueError:
        return None
    return request if isinstance(request, dict) else None


def restore(documents: Documents, boot: int) -> None:
    """Fill the empty engine. The stream starts anew, at a place behind all that were handed out before."""
    for path, document in documents.items():
        if path[0] == TABLE:
            dynamodb._tables[path[1]] = {**document, "items": defaultdict(dict)}
            dynamodb._stream_trimmed[path[1]] = boot
        elif path[0] == TTL:
            dynamodb._ttl_settings[path[1]] = document
        elif path[0] == TOKEN:
            dynamodb._txn_idempotency[path[1]] = document
    for path, document in documents.items():
        if path[0] == ITEM and path[1] in dynamodb._tables:
            dynamodb._tables[path[1]]["items"][path[2]][path[3]] = document
    for table in dynamodb._tables.values():
        dynamodb._items_replaced(table)


def documents() -> Documents:
    """Everything that the engine holds."""
    found: Documents = {}
    for name, table in dynamodb._tables.items():
        found[TABLE, name] = _described(table)
        found |= _items_of(name, table)
    return found | {(TTL, name): setting for name, setting in dynamodb._ttl_settings.items()}


def _named(request: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Tables, with attributes that hold a key; a request that makes no sense names none."""
    yield request.get("TableName"), request.get("Item") or request.get("Key")
    for member in _dicts(request.get("TransactItems")):
        for action in _dicts(list(member.values())):
            yield action.get("TableName"), action.get("Item") or action.get("Key")
    by_table = request.get("RequestItems")
    for name, members in by_table.items() if isinstance(by_table, dict) else ():
        for member in _dicts(members):
            for action in _dicts(list(member.values())):
                yield name, action.get("Item") or action.get("Key")


def _dicts(values: Any) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _place(name: Any, attributes: Any) -> _Place | None:
    table_name = dynamodb._normalize_table_name(name) if isinstance(name, str) else None
    table = dynamodb._tables.get(table_name)
    if table is None or not isinstance(attributes, dict):
        return None
    values = [attributes.get(key) for key in (table["pk_name"], table["sk_name"]) if key]
    if not all(isinstance(value, dict) and value for value in values):
        return None
    parts = [str(dynamodb._extract_key_val(value)) for value in values]
    return _Place(str(table_name), parts[0], parts[1] if len(parts) > 1 else _NO_SORT_KEY)


def _item(place: _Place) -> Any:
    table = dynamodb._tables.get(place.table)
    return table["items"].get(place.partition, {}).get(place.sort) if table else None


def _described(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name not in _DERIVED}


def _items_of(name: str, table: Mapping[str, Any]) -> Documents:
    return {
        (ITEM, name, partition, sort): item
        for partition, sorted_items in table["items"].items()
        for sort, item in sorted_items.items()
    }


def _put_back(where: Any, name: str, old: Any) -> None:
    if old is None:
        where.pop(name, None)
    else:
        where[name] = old


class _Stream:
    """The stream of a table as it was. Nobody has read what is cut off: answers wait until it is kept."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._records = dynamodb._stream_records.get(name)
        self._trimmed = int(dynamodb._stream_trimmed.get(name, 0))
        self._end = self._trimmed + len(self._records or ())

    def put_back(self) -> None:
        if self._records is None:
            dynamodb._stream_records.pop(self._name, None)
            return
        trimmed = int(dynamodb._stream_trimmed.setdefault(self._name, self._trimmed))
        del self._records[max(0, self._end - trimmed) :]
        dynamodb._stream_records[self._name] = self._records
