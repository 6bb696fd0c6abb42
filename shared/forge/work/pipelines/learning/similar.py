"""Which pipelines of the past were about something like this one.

A process keeps what it has read of a workspace, and reads only what was added since.
"""

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.work.pipelines.learning.packs import LEARNING, PACK_SIZE, Ended, PackItem, unpacked
from forge.work.pipelines.learning.words import words

if TYPE_CHECKING:
    from forge.work.pipelines.learning.ranking import Ranking

MOST_SIMILAR = 3
_MOST_LOOKED_AT = 100
MOST_PACKS = 200
"""Packs that a process reads: pipelines older than those have been forgotten."""
_MOST_KEPT = 2 * MOST_PACKS * PACK_SIZE
"""Pipelines after which a process forgets what it has read, and begins with the newest again."""
MOST_WORKSPACES = 8
"""Whose past a process keeps in memory."""


class Similar(NamedTuple):
    ended: Ended
    similarity: float


class SimilarMark(NamedTuple):
    """How far a past was read: the number of the pack, how much of it, and what came last."""

    number: int = 0
    size: int = 0
    last_id: str = ""


class SimilarPast:
    """The pipelines of one workspace that are over."""

    def __init__(self) -> None:
        self.mark = SimilarMark()
        self._ended: list[Ended] = []
        self._ranking: Ranking | None = None

    def __len__(self) -> int:
        return len(self._ended)

    def add(self, ended: Iterable[Ended], mark: SimilarMark) -> None:
        fresh = list(ended)
        self.mark = mark
        if not fresh:
            return
        # Imported here: it brings numpy along, which only this needs.
        from forge.work.pipelines.learning.ranking import Ranking

        self._ranking = self._ranking or Ranking()
        self._ranking.add(one.text for one in fresh)
        # Its words are the ranking's now.
        self._ended += [one._replace(tags=()) for one in fresh]

    def most_similar(self, about: str, *, repository: str | None = None) -> list[Similar]:
        """Of all, or of one repository alone: then among the best of all."""
        if self._ranking is None:
            return []
        best = self._ranking.best(words(about), _MOST_LOOKED_AT if repository else MOST_SIMILAR)
        found = [Similar(self._ended[number], score) for number, score in best]
        return [one for one in found if repository in (None, one.ended.repository)][:MOST_SIMILAR]


_lock = Lock()
_pasts: WeakKeyDictionary[Table, dict[str, SimilarPast]] = WeakKeyDictionary()
"""By table, so that two deployments in one process know nothing of each other."""


def find(
    table: Table, workspace_id: str, open_pack: PackItem | None, about: str, *, repository: str | None = None
) -> Sequence[Similar]:
    """The best of all that ended before; `open_pack` as it is now, and what it leads to is read here."""
    if open_pack is None:
        return ()
    with _lock:
        pasts = _pasts.setdefault(table, {})
        # Taken out and put back, so that the one that was asked for longest ago stands first.
        past = _brought_up(table, pasts.pop(workspace_id, SimilarPast()), open_pack)
        pasts[workspace_id] = past
        if len(pasts) > MOST_WORKSPACES:
            del pasts[next(iter(pasts))]
        return past.most_similar(about, repository=repository)


def _brought_up(table: Table, past: SimilarPast, open_pack: PackItem) -> SimilarPast:
    now = SimilarMark(open_pack.number, open_pack.size, open_pack.last_id)
    if past.mark == now:
        return past
    later = _later(table, past.mark, open_pack) if len(past) <= _MOST_KEPT else None
    if later is None:
        past, later = SimilarPast(), _later(table, SimilarMark(), open_pack) or []
    past.add(later, now)
    return past


def _later(table: Table, known: SimilarMark, open_pack: PackItem) -> list[Ended] | None:
    """What ended after a mark; None where it is no mark of this past, as after a reset."""
    if known[:2] > (open_pack.number, open_pack.size):
        return None
    first = max(known.number, open_pack.number - MOST_PACKS)
    packs = [*_closed(table, open_pack, first), open_pack]
    ended = [one for pack in packs for one in unpacked(pack)]
    if known.size == 0:
        return ended
    is_continued = first == known.number and ended[known.size - 1].pipeline_id == known.last_id
    return ended[known.size :] if is_continued else None


def _closed(table: Table, open_pack: PackItem, first: int) -> list[PackItem]:
    if first == open_pack.number:
        return []
    workspace_id = open_pack.workspace_id
    sort = SortRange(
        first=PackItem.at(workspace_id, first).sort, last=PackItem.at(workspace_id, open_pack.number - 1).sort
    )
    return table.query_all(LEARNING(workspace_id), most=MOST_PACKS, sort=sort).of(PackItem)
