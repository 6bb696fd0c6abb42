"""The transaction builder: every write has a condition, and all of them happen or none.

A handler collects writes; the switchboard commits them together with the answer it is about to give.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar

from forge.context import Caller
from forge.errors import Conflict, DomainError
from forge.store.codec import encode_value
from forge.store.expressions import Expression
from forge.store.keys import Key, SharedKey
from forge.store.physical import PARTITION, SORT

if TYPE_CHECKING:
    from forge.store.failures import Cancelled
    from forge.store.items import DerivedItem, Item

MAX_WRITES = 80
"""What is planned for. DynamoDB takes 100; the rest is room for what comes along with a change."""

MOST_WRITES = 98
"""The idempotency record must fit in as well."""


class Unguarded(TypeError):
    """A plain write of what follows from nothing else: somebody else's change would be lost."""


class VersionMoved(Exception):
    """Only our own optimistic version was old: the whole handler can simply run again."""


def overtaken(_: object) -> VersionMoved:
    """The refusal of what is there only if somebody was quicker: everything is decided again."""
    return VersionMoved()


ResultT = TypeVar("ResultT")


def decided_again(decide: Callable[[], ResultT], *, tries: int, spent: Exception | None = None) -> ResultT:
    """What a decision comes to, made anew on what there is then whenever somebody else was faster.

    After so many tries it is `spent`, or that somebody was.
    """
    for _ in range(tries):
        try:
            return decide()
        except VersionMoved:
            continue
    raise spent or VersionMoved


Explain = Callable[[dict[str, Any] | None], Exception]
"""Makes the error of a failed condition from the item as it is, or None when there is none."""

Refusal = DomainError | Explain


@dataclass(frozen=True, slots=True)
class Write:
    """One operation of a transaction, and what it means when its condition fails."""

    request: dict[str, Any]
    refusal: Refusal | None
    """None: our own version moved, which is nobody's fault."""

    def failure(self, old_item: dict[str, Any] | None) -> Exception | None:
        if self.refusal is None or isinstance(self.refusal, Exception):
            return self.refusal
        return self.refusal(old_item)


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose call a transaction serves; its log rows say so."""

    caller: Caller
    tool: str
    request_id: str
    now: datetime
    new_id: Callable[[str], str]
    heard: Collection[str] | None = None
    """The kinds of events of which somebody outside wants to hear; None where that may be any."""
    claims_sleep: bool = True
    """Whether somebody may have to be told that there is an issue to claim."""


@dataclass(slots=True)
class Transaction:
    table_name: str
    origin: Origin
    writes: list[Write] = field(default_factory=list)
    token: str = field(default_factory=partial(token_hex, 16))
    """Makes a repeated commit after a lost answer harmless."""
    growing: dict[type["Item"], Any] = field(default_factory=dict)
    """What is created with the rest, one of a kind, once it is known what belongs in it."""
    _tallies: dict[tuple[SharedKey, str], int] = field(default_factory=dict)

    def create(self, item: "Item", *, refusal: Refusal | None = None) -> None:
        """Add an item that must not exist yet."""
        default = Conflict("This already exists.", hint="Read it before you decide what to do.")
        request = {"Item": item.attributes(), "ConditionExpression": f"attribute_not_exists({PARTITION})"}
        self.append("Put", request, refusal or default)

    def replace(
        self,
        item: "Item",
        *,
        unchanged: Mapping[str, object] | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        """Store a changed item; if somebody changed it since it was read, the handler runs again.

        `unchanged` names fields that plain writes change without a version, as they were when read.
        """
        newer = item.changed(version=item.version + 1)
        request = {"Item": newer.attributes(), **_as_seen(item)}
        for name, value in (unchanged or {}).items():
            request["ConditionExpression"] += f" AND #{name} = :{name}"
            request["ExpressionAttributeNames"] |= {f"#{name}": name}
            request["ExpressionAttributeValues"] |= {f":{name}": encode_value(value)}
        self.append("Put", request, refusal)

    def keep_up(self, row: "DerivedItem") -> None:
        """Bring a row up to date that follows from another item, whether or not it is there yet.

        By attribute, because nobody has read the row: what only another build knows of it stays.
        """
        require_derived(row)
        writer = Expression()
        writer.restate(row.attributes(), every=type(row).model_fields)
        self.append("Update", self._at(row.key) | writer.request())

    def delete(self, item: "Item") -> None:
        """Remove an item, unless somebody changed it since it was read."""
        self.append("Delete", {**self._at(item.key), **_as_seen(item)})

    def forget(self, row: "DerivedItem | SharedKey") -> None:
        """Remove a row, whether or not it is there."""
        require_derived(row)
        self.append("Delete", self._at(row if isinstance(row, SharedKey) else row.key))

    def overwrite(self, row: "DerivedItem") -> None:
        """Store a row, whether or not its place is taken."""
        require_derived(row)
        self.append("Put", {"Item": row.attributes()})

    def check(self, item: "Item") -> None:
        """Write nothing, but fail if the item changed since it was read."""
        self.append("ConditionCheck", {**self._at(item.key), **_as_seen(item)})

    def require(
        self, key: Key, *, holding: Mapping[str, object] | None = None, refusal: Refusal | None
    ) -> None:
        """Write nothing, but refuse when the item is not there, or holds something else."""
        writer = Expression()
        conditions = [f"attribute_exists({PARTITION})"]
        conditions += [
            f"{writer.name(name)} = {writer.value(value)}" for name, value in (holding or {}).items()
        ]
        request = self._at(key, " AND ".join(conditions))
        self.append("ConditionCheck", request | writer.placeholders(), refusal)

    def adjust(
        self,
        key: Key,
        *,
        add: Mapping[str, int | float | Decimal | frozenset[str]] | None = None,
        remove: Mapping[str, frozenset[str]] | None = None,
        assign: Mapping[str, object] | None = None,
        below: Mapping[str, int | float] | None = None,
        equal: Mapping[str, object] | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        """Change attributes without a version: for numbers and sets that many change at once.

        `assign` with None removes an attribute; `below` holds numbers to a limit that they have now, and
        `equal` attributes to a value, or to none.
        """
        writer = Expression()
        writer.clause("ADD", add or {}, " ")
        writer.clause("DELETE", remove or {}, " ")
        writer.assign(assign or {})
        conditions = [f"attribute_exists({PARTITION})"]
        conditions += [f"{writer.name(name)} < {writer.value(most)}" for name, most in (below or {}).items()]
        conditions += [
            f"attribute_not_exists({writer.name(name)})"
            if value is None
            else f"{writer.name(name)} = {writer.value(value)}"
            for name, value in (equal or {}).items()
        ]
        self.append("Update", self._at(key, " AND ".join(conditions)) | writer.request(), refusal)

    def merge(
        self,
        key: SharedKey,
        *,
        add: Mapping[str, int | frozenset[str]] | None = None,
        assign: Mapping[str, object] | None = None,
    ) -> None:
        """The same for a row that need not be there yet."""
        require_derived(key)
        writer = Expression()
        writer.clause("ADD", add or {}, " ")
        writer.assign(assign or {})
        self.append("Update", self._at(key) | writer.request())

    def tally(self, key: SharedKey, name: str, delta: int) -> None:
        """Add to a number that may be added to again: an item can be written only once in a transaction."""
        require_derived(key)
        self._tallies[key, name] = self._tallies.get((key, name), 0) + delta

    def stored(self) -> dict[Key, dict[str, Any]]:
        """The items that it writes whole, as they will be stored."""
        items = [write.request["Put"]["Item"] for write in self.writes if "Put" in write.request]
        return {Key(item[PARTITION]["S"], item[SORT]["S"]): item for item in items}

    def close(self) -> None:
        """Turn what was tallied and what has grown into writes; nothing is added after this."""
        for item in self.growing.values():
            self.create(item)
        self.growing.clear()
        for (key, name), total in self._tallies.items():
            self.merge(key, add={name: total})
        self._tallies.clear()

    def decided_by(self, cancelled: "Cancelled") -> Exception:
        """A refusal that somebody can act on comes before a version that moved."""
        for position, write in enumerate(self.writes):
            if cancelled.failed(position):
                error = write.failure(cancelled.old_item(position))
                if error is not None:
                    return error
        return VersionMoved()

    def append(self, operation: str, request: dict[str, Any], refusal: Refusal | None = None) -> None:
        """Add a write of whatever kind: tools use those above."""
        if len(self.writes) >= MOST_WRITES:
            raise ValueError(f"more than {MOST_WRITES} writes; continue in a second transaction")
        request |= {"TableName": self.table_name}
        if callable(refusal):
            request |= {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        self.writes.append(Write({operation: request}, refusal))

    def _at(self, key: Key, condition: str | None = None) -> dict[str, Any]:
        request: dict[str, Any] = {"Key": {PARTITION: {"S": key.partition}, SORT: {"S": key.sort}}}
        return request | ({"ConditionExpression": condition} if condition else {})


def _as_seen(item: "Item") -> dict[str, Any]:
    return {
        "ConditionExpression": "#version = :seen",
        "ExpressionAttributeNames": {"#version": "version"},
        "ExpressionAttributeValues": {":seen": {"N": str(item.version)}},
    }


def require_derived(row: "Item | Key") -> None:
    """Raise where a plain write is planned of what is no derived row; mypy says so before."""
    if not isinstance(row, SharedKey) and not getattr(row, "is_derived", False):
        raise Unguarded(f"{row!r} follows from nothing else; create, replace or delete it")
