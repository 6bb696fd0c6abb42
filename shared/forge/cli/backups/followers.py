"""What an export leaves out because it follows from issues, made anew from those that were brought back."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

from forge.cli.backups.wanted import AT_ONCE, commit, in_chunks, patiently
from forge.clock import new_id, system_now
from forge.store.counters import read_counts
from forge.store.failures import Pause
from forge.store.followers import Counted
from forge.store.items import DerivedItem
from forge.store.store import Store
from forge.store.transactions import Transaction
from forge.work.background import word_index
from forge.work.issues.followers import follows
from forge.work.issues.issues import IssueItem
from forge.work.workspace.founding import setup_transaction

_AT_ONCE = 100


def rebuild(store: Store, workspace_id: str, issues: Iterable[IssueItem], pause: Pause) -> None:
    """Rows and counts that follow from these issues, which are all; and the words that each is found by.

    Wherever it stops, doing it again gives the same: rows are written over, and a count becomes what it must
    be, whatever part of it is there.
    """
    counts: Counter[Counted] = Counter()
    for chunk in in_chunks(issues, _AT_ONCE):
        followers = [one for issue in chunk for one in follows(issue)]
        counts.update(one for one in followers if isinstance(one, Counted))
        rows = [one for one in followers if isinstance(one, DerivedItem)]
        _write_over(store, workspace_id, rows, pause)
        for issue in chunk:
            patiently(partial(word_index.index, store, workspace_id, issue.id), pause)
    _set_counts(store, workspace_id, counts, pause)


def _write_over(store: Store, workspace_id: str, rows: Iterable[DerivedItem], pause: Pause) -> None:
    for chunk in in_chunks(rows, AT_ONCE):
        tx = _begin(store, workspace_id)
        for row in chunk:
            tx.overwrite(row)
        commit(store, tx, pause)


def _set_counts(store: Store, workspace_id: str, counts: Counter[Counted], pause: Pause) -> None:
    """By what is missing: a count is the sum of its shards, some of which may be there."""
    present = {
        name: patiently(partial(read_counts, store.table, workspace_id, name), pause)
        for name in {counted.name for counted in counts}
    }
    missing = {one: number - present[one.name][one.dimension] for one, number in counts.items()}
    for chunk in in_chunks((one for one in missing if missing[one]), AT_ONCE):
        tx = _begin(store, workspace_id)
        for counted in chunk:
            counted.add(tx, missing[counted])
        commit(store, tx, pause)


def _begin(store: Store, workspace_id: str) -> Transaction:
    return setup_transaction(store, workspace_id, now=system_now(), new_id=new_id)
