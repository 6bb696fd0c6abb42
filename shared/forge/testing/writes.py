"""A transaction that nothing speaks against, at once: the engine looks at each write half a dozen times.

Whatever might be refused is left to the engine, so that it alone says why.
"""

import marshal
from collections.abc import Mapping
from typing import Any, NamedTuple

from ministack.services import dynamodb

from forge.testing.engine import Item, Table, empty_index_key, item_bytes, mistyped_index_key
from forge.testing.expressions import holds

_MOST_WRITES = 100
_MOST_BYTES = 400 * 1024
_LONG = 30
_KNOWN = frozenset({"TransactItems", "ClientRequestToken"})
_accepted: set[tuple[Any, ...]] = set()


class _Write(NamedTuple):
    table: Table
    name: str
    place: tuple[str, str]
    old: dict[str, Any] | None
    new: dict[str, Any] | None


class _Signature:
    """What a request with a token asked for, to be compared with what it asks for when it comes again."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        # As bytes: the collector of garbage need not look through them.
        self._content = marshal.dumps(request["TransactItems"])

    def __eq__(self, other: object) -> bool:
        items = other.get("TransactItems") if isinstance(other, dict) else None
        return bool(items == marshal.loads(self._content))  # noqa: S302 - what was written here

    __hash__ = None  # type: ignore[assignment]  # it stands for a dictionary


class _Doubtful(Exception):
    """The engine has to look at it."""


def write_all(request: Mapping[str, Any]) -> bool:
    """Whether it was done; where it was not, nothing was changed."""
    try:
        token, writes = _decided(request)
    except (_Doubtful, ValueError):
        return False
    for write in writes:
        if write.new is None:
            dynamodb._remove_item(write.table, *write.place)  # noqa: SLF001 - the engine offers no other way
        else:
            dynamodb._set_item(write.table, *write.place, write.new)  # noqa: SLF001 - as above
        if write.old != write.new:
            event = "REMOVE" if write.new is None else "MODIFY" if write.old else "INSERT"
            dynamodb._emit_stream_event(write.name, event, write.old, write.new)  # noqa: SLF001 - as above
    if token:
        entry = {"signature": _Signature(request), "response": {}, "sizes": {}}
        dynamodb._txn_token_store(token, entry)  # noqa: SLF001 - as above
    return True


def _decided(request: Mapping[str, Any]) -> tuple[str | None, list[_Write]]:
    requested = request["TransactItems"]
    token = request.get("ClientRequestToken")
    is_repeated = token and dynamodb._txn_token_lookup(token) is not None  # noqa: SLF001 - as above
    if not request.keys() <= _KNOWN or len(token or "") > 36 or is_repeated or len(requested) > _MOST_WRITES:
        raise _Doubtful
    writes = []
    places = set()
    for one in requested:
        ((kind, asked),) = one.items()
        writes.append(_decide(kind, asked))
        places.add((writes[-1].name, writes[-1].place))
    if not writes or len(places) < len(writes):
        raise _Doubtful
    return token, [write for write, one in zip(writes, requested, strict=True) if "ConditionCheck" not in one]


def _decide(kind: str, asked: Mapping[str, Any]) -> _Write:
    table = dynamodb._tables.get(asked["TableName"])  # noqa: SLF001 - as above
    if not table or not _is_accepted(kind, asked):
        raise _Doubtful
    item = asked["Item"] if kind == "Put" else asked["Key"]
    place = (_key(item, table["pk_name"]), _key(item, table["sk_name"]))
    old = table["items"].get(place[0], {}).get(place[1])
    values, names = (asked.get(f"ExpressionAttribute{part}") or {} for part in ("Values", "Names"))
    if not holds(asked.get("ConditionExpression", ""), old or {}, values, names):
        raise _Doubtful
    new = None
    if kind == "Put":
        new = item
        if "" in new or dynamodb._validate_item(new, table["pk_name"], table["sk_name"]):  # noqa: SLF001 - as above
            raise _Doubtful
    elif kind == "Update":
        new, _ = dynamodb._apply_update_expression(  # noqa: SLF001 - as above
            old or dict(item), asked["UpdateExpression"], values, names
        )
    if new is not None and _is_refused(table, new):
        raise _Doubtful
    return _Write(table, asked["TableName"], place, old, new)


def _key(item: Item, name: str) -> str:
    text = item.get(name, {}).get("S")
    if not text:
        raise _Doubtful
    return str(text)


def _is_refused(table: Table, item: Item) -> bool:
    return bool(
        mistyped_index_key(table, item)
        or empty_index_key(table, item)
        or item_bytes(item) > _MOST_BYTES
        or any(dynamodb._nesting_exceeded(value) for value in item.values())  # noqa: SLF001 - as above
    )


def _is_accepted(kind: str, asked: Mapping[str, Any]) -> bool:
    """Whether the engine has nothing against how it is asked for, whatever the item."""
    values = asked.get("ExpressionAttributeValues") or {}
    form = (
        kind,
        asked.get("ConditionExpression"),
        asked.get("UpdateExpression"),
        *(asked.get("ExpressionAttributeNames") or {}).items(),
        *((name, *value) for name, value in values.items()),
    )
    is_known = form in _accepted and not any(_holds_more(value) for value in values.values())
    if not is_known and dynamodb._transact_write_action_error(kind, asked):  # noqa: SLF001 - as above
        return False
    # Whether bounds are the right way round can be said of values alone.
    if "BETWEEN" not in (asked.get("ConditionExpression") or ""):
        _accepted.add(form)
    return True


def _holds_more(value: Item) -> bool:
    """Whether there is more in it to look at than a text or a short number."""
    return not ("S" in value or "BOOL" in value or (value.get("N", "").isdigit() and len(value["N"]) < _LONG))
