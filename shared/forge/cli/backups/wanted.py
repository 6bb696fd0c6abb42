"""Rows as they shall be in a table: compared with those that are there, and written where they are not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from time import sleep
from typing import NamedTuple, Protocol, TypeVar

from forge.clock import full_jitter, new_id, system_now
from forge.errors import Unavailable
from forge.jsontext import encode
from forge.store import raw_rows
from forge.store.failures import Pause
from forge.store.keys import Key
from forge.store.places import out_of
from forge.store.readings import Attributes, key_of
from forge.store.store import Store
from forge.store.table import Table
from forge.store.transactions import Transaction, VersionMoved
from forge.work.workspace.founding import setup_transaction

AT_ONCE = 90
"""Rows of one transaction, in which they must not have more than so many bytes together."""
_MOST_BYTES = 3_000_000
DUE = frozenset(out_of("due"))
"""The attributes by which the sweep finds something."""
_READ_AT_ONCE = 100
_MOST_TRIES, _LONGEST_PAUSE = 12, 30.0
_MOST_TOLD = 10

ThingT = TypeVar("ThingT")


class Stopped(Exception):
    """It can't go on; the message says why, and what to do."""


class Wanted(NamedTuple):
    name: str
    """What it is, as operators are told."""
    row: Attributes
    source: str = ""
    """Where it comes from: the line of a file."""
    texts: Mapping[str, str] = {}
    """What has to be in the bucket before, by its name."""

    @property
    def key(self) -> Key:
        return key_of(self.row)


class Show(Protocol):
    """Goes through things and says how far it is, for whoever waits."""

    def __call__(
        self, text: str, things: Iterable[ThingT], /, total: int | None = None
    ) -> Iterable[ThingT]: ...


class Backup(Protocol):
    """What rows are brought back from."""

    def rows(self) -> Iterator[Wanted]:
        """All of them, as often as somebody asks."""

    def is_same(self, stored: Attributes, wanted: Wanted) -> bool:
        """Whether what is there already will do."""

    def merged(self, stored: Attributes, wanted: Wanted) -> Wanted:
        """What shall be there instead of something else."""

    def clash(self, stored: Attributes, wanted: Wanted) -> str:
        """What is wrong where something else is there."""

    def is_anothers(self, wanted: Wanted) -> bool:
        """Whether what else is there must stay, whatever is asked for."""


@dataclass(slots=True)
class Findings:
    """What would be done, by kind, and why it can't be."""

    missing: Counter[str] = field(default_factory=Counter)
    same: Counter[str] = field(default_factory=Counter)
    other: Counter[str] = field(default_factory=Counter)
    extra: Counter[str] = field(default_factory=Counter)
    """What is there and was not in what is brought back."""
    clashes: list[str] = field(default_factory=list)
    has_others: bool = False
    """Whether something is somebody else's."""

    def add(self, wanted: Wanted, stored: Attributes | None, *, source: Backup) -> None:
        if stored is None:
            self.missing[wanted.name] += 1
        elif source.is_same(stored, wanted):
            self.same[wanted.name] += 1
        else:
            self.other[wanted.name] += 1
            self.has_others |= source.is_anothers(wanted)
            if len(self.clashes) < _MOST_TOLD:
                self.clashes.append(source.clash(stored, wanted))


def look(table: Table, source: Backup, rows: Iterable[Wanted], note: Callable[[Wanted], None]) -> Findings:
    """Read everything, and write nothing."""
    findings = Findings()
    for wanted, stored in _compared(table, rows):
        note(wanted)
        findings.add(wanted, stored, source=source)
    return findings


class Writer:
    """Collects rows, and writes them in transactions of their own: what is there stays there."""

    def __init__(self, store: Store, pause: Pause) -> None:
        self._store = store
        self._pause = pause
        self._tx = self._begin()
        self._size = 0
        self.written = 0

    def put(self, wanted: Wanted, seen: Attributes | None) -> None:
        for name, text in wanted.texts.items():
            patiently(partial(self._store.blobs.put_text, name, text), self._pause)
        self._make_room(len(encode(wanted.row).encode()))
        raw_rows.put(self._tx, wanted.row, seen=seen)

    def remove(self, seen: Attributes) -> None:
        self._make_room(0)
        raw_rows.remove(self._tx, seen)

    def flush(self) -> None:
        if self._tx.writes:
            commit(self._store, self._tx, self._pause)
        self.written += len(self._tx.writes)
        self._tx, self._size = self._begin(), 0

    def _make_room(self, size: int) -> None:
        if len(self._tx.writes) >= AT_ONCE or self._size + size > _MOST_BYTES:
            self.flush()
        self._size += size

    def _begin(self) -> Transaction:
        return setup_transaction(self._store, "-", now=system_now(), new_id=new_id)


def write(store: Store, source: Backup, rows: Iterable[Wanted], pause: Pause, *, replaces: bool) -> int:
    """Write whatever is missing, and change what is other where it is to be replaced; how many rows.

    None of them is due yet: the sweep would settle things on half of what they follow from.
    """
    writer = Writer(store, pause)
    for due, stored in _compared(store.table, rows):
        wanted = due._replace(row={name: one for name, one in due.row.items() if name not in DUE})
        if stored is None:
            writer.put(wanted, None)
        elif not source.is_same(stored, wanted):
            if not replaces:
                raise _overtaken()
            writer.put(source.merged(stored, wanted), stored)
    writer.flush()
    return writer.written


def arm(store: Store, source: Backup, rows: Iterable[Wanted], pause: Pause) -> None:
    """The last step: what the sweep has to look at is due when it was."""
    writer = Writer(store, pause)
    for wanted, stored in _compared(store.table, (one for one in rows if DUE & one.row.keys())):
        if stored is not None and not DUE & stored.keys() and source.is_same(stored, wanted):
            writer.put(source.merged(stored, wanted), stored)
    writer.flush()


def commit(store: Store, tx: Transaction, pause: Pause) -> None:
    try:
        patiently(lambda: store.commit(tx), pause)
    except VersionMoved:
        raise _overtaken() from None


def patiently(act: Callable[[], ThingT], pause: Pause = sleep) -> ThingT:
    """A table that throttles is waited for: nobody else waits for this."""
    for attempt in range(_MOST_TRIES):
        try:
            return act()
        except Unavailable:
            pause(full_jitter(attempt, first=1.0, longest=_LONGEST_PAUSE))
    return act()


def _overtaken() -> Stopped:
    return Stopped(
        "Somebody else wrote at the same time; nothing of theirs was changed. Run it again when nobody "
        "uses the workspace: what is there already is not written twice."
    )


def in_chunks(things: Iterable[ThingT], size: int) -> Iterator[list[ThingT]]:
    left = iter(things)
    while chunk := list(islice(left, size)):
        yield chunk


def _compared(table: Table, rows: Iterable[Wanted]) -> Iterator[tuple[Wanted, Attributes | None]]:
    for chunk in in_chunks(rows, _READ_AT_ONCE):
        stored = patiently(partial(raw_rows.found, table, [one.key for one in chunk]))
        for one in chunk:
            yield one, stored.get(one.key)
