"""Followers: what is stored of an item elsewhere, and follows from it alone.

For each aggregate one generator yields all of them. Whoever writes the item writes the difference between
what followed before and what follows now; the item's own condition guards the rows, so nobody reads them.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from forge.store.counters import add_to_count
from forge.store.items import DerivedItem
from forge.store.keys import SharedKey
from forge.store.transactions import Transaction


class Tally(NamedTuple):
    """One more of something that is counted in a row of its own."""

    key: SharedKey
    name: str

    def add(self, tx: Transaction, delta: int) -> None:
        tx.tally(self.key, self.name, delta)


class Counted(NamedTuple):
    """One more of something that so many change that its count has shards."""

    name: str
    dimension: str

    def add(self, tx: Transaction, delta: int) -> None:
        add_to_count(tx, self.name, dimension=self.dimension, delta=delta)


Follower = DerivedItem | Tally | Counted


def follow(tx: Transaction, before: Iterable[Follower], after: Iterable[Follower]) -> None:
    """Write what follows now, and remove what no longer does."""
    old_rows, old_numbers = _sorted_out(before)
    new_rows, new_numbers = _sorted_out(after)
    for key, row in old_rows.items():
        if key not in new_rows:
            tx.forget(row)
    for key, row in new_rows.items():
        if key not in old_rows:
            tx.overwrite(row)
        elif row != old_rows[key]:
            tx.keep_up(row)
    for number in {**old_numbers, **new_numbers}:
        if delta := new_numbers[number] - old_numbers[number]:
            number.add(tx, delta)


def _sorted_out(
    followers: Iterable[Follower],
) -> tuple[dict[object, DerivedItem], Counter[Tally | Counted]]:
    rows: dict[object, DerivedItem] = {}
    numbers: Counter[Tally | Counted] = Counter()
    for one in followers:
        if isinstance(one, DerivedItem):
            rows[one.key] = one
        else:
            numbers[one] += 1
    return rows, numbers
