"""The text index of issues: which words each of them is found by, and which of them match a query.

A word of an issue is a row `TERM#{word} / {issue}` that says in which places the word stands. Two write these
rows: `index_title`, in the transaction that stores a new title, and `settle`, a worker that follows every
change of title or description, at least once, and for each issue one after the other. This always holds:

- The first words of a new title have their rows at once.
- Each row is named by the issue's `TermsItem`, or it is of one of the first words of a title whose change has
  not been settled yet. `settle` is told the titles of the change that it follows, so that no row is left
  behind for good.

It holds because `settle` names rows before it writes them, and forgets them after it took them away. Wherever
it dies, the item says that it was at work, and the next run writes all that the issue says.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import Field

from forge.contract.models import Model
from forge.store.items import DerivedItem, Item
from forge.store.keys import REFERENCES, At, Shared
from forge.store.physical import SORT
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.record.search.words import Places, Query, Word, WordPlace, first_title_terms, places_of

MAX_ROWS = 500
MAX_LOOKED_UP = 100
"""So many rows are looked up, in one request, where a word is too common to be read whole."""

_IN_TITLE = frozenset({WordPlace.TITLE.value})


class Coverage(Model):
    """What a search has looked at, so that finding nothing is not taken for more than it says."""

    match: Annotated[
        str,
        Field(
            description="`words`: whole words, all of which must occur; the last may also be the first 3 or "
            "more characters of a word of the title. No substrings, no synonyms."
        ),
    ]
    fields: Annotated[
        list[str], Field(description="Where they were looked for; descriptions in their first 8 KB.")
    ]


COVERAGE = Coverage(match="words", fields=["title", "description"])

TERM = Shared("WS#{workspace_id}#TERM#{word}", "{issue_id}", held_in=("pk", "sk"))


class TermsItem(Item):
    """What an issue is found by."""

    stored = At(REFERENCES, "TERMS", name="issue_id")

    workspace_id: str
    issue_id: str
    terms: dict[str, list[str]] = {}
    is_settling: bool = False
    """Whether rows of these words may be missing, or be there without being wanted."""

    @property
    def places(self) -> Places:
        return {term: frozenset(places) for term, places in self.terms.items()}


class TermItem(DerivedItem):
    """A word of an issue, and where in the issue it stands. Its places change without a version."""

    stored = TERM

    pk: str
    sk: str
    """The issue's id."""
    places: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class IssueText:
    """What an issue says now."""

    workspace_id: str
    issue_id: str
    title: str
    description: str


class Matches(NamedTuple):
    issue_ids: list[str]
    """Newest first."""
    is_complete: bool
    """Whether these are all."""


def index_title(
    tx: Transaction, workspace_id: str, issue_id: str, *, old_title: str | None, new_title: str
) -> None:
    """Make an issue found by its new title at once; belongs to the transaction that stores its head."""
    present = frozenset(first_title_terms(old_title or ""))
    for term in first_title_terms(new_title):
        if term not in present:
            key = TERM(workspace_id, term, issue_id)
            tx.merge(key, add={"places": frozenset({WordPlace.TITLE.value})})


def settle(table: Table, text: IssueText, *, old_titles: Iterable[str]) -> bool:
    """Make an issue found by what it says, and by nothing else; whether anything was to be done.

    VersionMoved when somebody else settles it: the message comes again.
    """
    known = table.find(TermsItem, TermsItem.at(text.workspace_id, text.issue_id))
    wanted = places_of(text.title, text.description)
    plan = _plan(known, wanted, text.title, old_titles)
    if not plan.written and not plan.gone:
        return False
    version = _keep(table, text, plan.may_be_there, is_settling=True, seen=known.version if known else 0)
    table.restate(
        [_row(text, term, wanted[term]) for term in plan.written],
        gone=[_row(text, term, frozenset()) for term in plan.gone],
    )
    _keep(table, text, wanted, is_settling=False, seen=version)
    return True


def find(table: Table, workspace_id: str, query: Query) -> Matches:
    """The issues that have all words whose rows are read, open or closed.

    One request for each of up to four words, one more for a long last word, and one more where some are too
    common to be read whole.
    """
    hits = [_read(table, workspace_id, word) for word in query.asked]
    rarest, *others = sorted(hits, key=lambda one: (one.is_cut, len(one.issue_ids)))
    newest_first = sorted(rarest.issue_ids, reverse=True)
    candidates = [issue_id for issue_id in newest_first if all(one.may_have(issue_id) for one in others)]
    found, is_decided = _without_doubt(table, workspace_id, candidates, others=others)
    return Matches(found[:MAX_ROWS], is_decided and not rarest.is_cut and len(found) <= MAX_ROWS)


def confirmed(table: Table, workspace_id: str, query: Query, titles: Mapping[str, str]) -> frozenset[str]:
    """Those of the issues found, given with their titles, that have every other word of the query, too.

    One request for each hundred issues whose title leaves a question.
    """
    doubtful = [issue_id for issue_id, title in titles.items() if not query.is_met_by(title, {})]
    if query.is_decided_by_rows or not doubtful:
        return frozenset(titles)
    places = {issue_id: TermsItem.at(workspace_id, issue_id) for issue_id in doubtful}
    known = table.read(places.values())

    def is_met_by(issue_id: str) -> bool:
        item = known.find(TermsItem, places[issue_id])
        return query.is_met_by(titles[issue_id], item.terms if item else {})

    return frozenset(titles) - {issue_id for issue_id in doubtful if not is_met_by(issue_id)}


class _Hits(NamedTuple):
    word: Word
    issue_ids: frozenset[str]
    oldest_read: str
    """The issue of the last row, when there may be more."""

    @property
    def is_cut(self) -> bool:
        return self.oldest_read != ""

    def leaves_open(self, issue_id: str) -> bool:
        return issue_id < self.oldest_read and issue_id not in self.issue_ids

    def may_have(self, issue_id: str) -> bool:
        return issue_id in self.issue_ids or self.leaves_open(issue_id)


class _Plan(NamedTuple):
    written: list[str]
    gone: list[str]
    may_be_there: Places


def _plan(known: TermsItem | None, wanted: Places, title: str, old_titles: Iterable[str]) -> _Plan:
    """Pure. Rows of a new issue's title came with it, and nobody has touched them since."""
    listed = known.places if known else {}
    titles = [*old_titles]
    present = dict.fromkeys(first_title_terms(title), _IN_TITLE) if title in titles and not known else {}
    stored = {} if known and known.is_settling else listed or present
    former = {term: _IN_TITLE for old in titles for term in first_title_terms(old)}
    # A former title may have left its mark on rows that stay.
    doubtful = {term for term in former if WordPlace.TITLE.value not in wanted.get(term, ())}
    written = [term for term in wanted if stored.get(term) != wanted[term] or term in doubtful]
    named = {
        term: frozenset().union(*(places.get(term, ()) for places in (listed, wanted, former)))
        for term in {*listed, *wanted, *former}
    }
    return _Plan(sorted(written), sorted(named.keys() - wanted.keys()), named)


def _keep(table: Table, text: IssueText, places: Places, *, is_settling: bool, seen: int) -> int:
    """Say which rows the issue has, or may have; the version of what was stored."""
    table.assign(
        TermsItem.at(text.workspace_id, text.issue_id),
        {
            "workspace_id": text.workspace_id,
            "issue_id": text.issue_id,
            "terms": {term: sorted(places[term]) for term in sorted(places)},
            "is_settling": True if is_settling else None,
            "version": seen + 1,
        },
        only_if={"version": seen or None},
    )
    return seen + 1


def _row(text: IssueText, term: str, places: frozenset[str]) -> TermItem:
    partition, sort = TERM(text.workspace_id, term, text.issue_id)
    return TermItem(pk=partition, sk=sort, places=places)


def _read(table: Table, workspace_id: str, word: Word) -> _Hits:
    issue_ids: set[str] = set()
    oldest_read = ""
    for wanted in word.rows:
        partition = TERM.partition(workspace_id, wanted.term)
        rows = table.query(partition, limit=MAX_ROWS, is_descending=True)
        if rows.next_position:
            oldest_read = max(oldest_read, rows.next_position[SORT])
        issue_ids.update(row.sk for row in rows.of(TermItem) if wanted.have(row.places))
    return _Hits(word, frozenset(issue_ids), oldest_read)


def _without_doubt(
    table: Table, workspace_id: str, candidates: list[str], *, others: Sequence[_Hits]
) -> tuple[list[str], bool]:
    """Those that have the other words too, and whether that could be found out for all of them.

    A common word is read back to some issue only. Whether an older one has it is looked up: otherwise a query
    with one such word would find nothing old, and finding nothing reads as if there were nothing.
    """
    cut = [hits for hits in others if hits.is_cut]
    doubtful = [one for one in candidates if any(hits.leaves_open(one) for hits in cut)]
    most = MAX_LOOKED_UP // max(sum(len(hits.word.rows) for hits in cut), 1)
    questions = [(hits.word, one) for one in doubtful[:most] for hits in cut if hits.leaves_open(one)]
    rows = table.read(TERM(workspace_id, wanted.term, one) for word, one in questions for wanted in word.rows)

    def has(word: Word, issue_id: str) -> bool:
        found = [
            (wanted, rows.find(TermItem, TERM(workspace_id, wanted.term, issue_id))) for wanted in word.rows
        ]
        return any(row is not None and wanted.have(row.places) for wanted, row in found)

    missing = {one for word, one in questions if not has(word, one)}
    dropped = missing.union(doubtful[most:])
    return [one for one in candidates if one not in dropped], len(doubtful) <= most
