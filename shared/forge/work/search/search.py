"""The text index of issues: which words each of them is found by, and which of them match a query.

A word of an issue is a row `TERM#{word} / {issue}` that says in which places the word stands. Two write these
rows: `index_title`, in the transaction that stores a new title, and `settle`, a worker that follows every
change of title or description at least once, and in no particular order. This always holds:

- The first words of the present title have their rows.
- Each place of each row is named by the issue's `TermsItem`, or it is the title place of one of the first
  words of the present title or of a title whose change has not been settled yet. `settle` is told the titles
  of the change that it follows, so that no row is left behind for good.

It holds because every transaction of `settle` requires that head, body and `TermsItem` are as they were read,
and writes rows together with what the `TermsItem` says of them. Wherever it dies, what remains to be done is
the difference between the `TermsItem` and the texts, and the next run finds that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import Field

from forge.contract.models import Model
from forge.errors import InvalidInput
from forge.store.codec import decode_item
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.physical import SORT
from forge.store.table import Attributes, Table
from forge.store.transactions import Origin, Transaction, VersionMoved
from forge.work.search import search_keys
from forge.work.search.words import Place, Places, first_title_terms, places_of, words

MAX_QUERY = 200
"""In characters."""
MAX_ASKED = 4
MAX_ROWS = 500
MAX_LOOKED_UP = 100
"""So many rows are looked up, in one request, where a word is too common to be read whole."""

_MAX_CHANGES = 70
_WHOLE_WORDS = frozenset({Place.TITLE.value, Place.TEXT.value})


class Coverage(Model):
    """What a search has looked at, so that finding nothing is not taken for more than it says."""

    match: Annotated[
        str,
        Field(
            description="`words`: whole words, all of which must occur; the last may also be the first 3 to "
            "10 characters of a word of the title. No substrings, no synonyms."
        ),
    ]
    fields: Annotated[
        list[str], Field(description="Where they were looked for; descriptions in their first 8 KB.")
    ]


COVERAGE = Coverage(match="words", fields=["title", "description"])


class TermsItem(Item):
    """What an issue is found by."""

    workspace_id: str
    issue_id: str
    terms: dict[str, list[str]] = {}

    @property
    def key(self) -> Key:
        return search_keys.indexed_terms(self.workspace_id, self.issue_id)


@dataclass(frozen=True, slots=True)
class IssueText:
    """What an issue says now, and the items that it was read from."""

    workspace_id: str
    issue_id: str
    title: str
    description: str
    read_from: Sequence[Item]


class Matches(NamedTuple):
    issue_ids: list[str]
    """Newest first."""
    is_complete: bool
    """Whether these are all, and each has every word that was asked for."""


def index_title(
    tx: Transaction, workspace_id: str, issue_id: str, *, old_title: str | None, new_title: str
) -> None:
    """Make an issue found by its new title at once; belongs to the transaction that stores its head."""
    present = frozenset(first_title_terms(old_title or ""))
    for term in first_title_terms(new_title):
        if term not in present:
            key = search_keys.term(workspace_id, term, issue_id)
            tx.adjust(key, add={"places": frozenset({Place.TITLE.value})}, must_exist=False)


def settle(table: Table, text: IssueText, *, origin: Origin, old_titles: Iterable[str]) -> None:
    """Make an issue found by what it says, and by nothing else.

    VersionMoved when it says something else by now, or somebody else settles it: read it again then.
    """
    terms = table.find(TermsItem, search_keys.indexed_terms(text.workspace_id, text.issue_id))
    wanted = places_of(text.title, text.description)
    changes = _changes(terms, wanted, old_titles)
    for start in range(0, len(changes), _MAX_CHANGES):
        tx = Transaction(table.name, origin)
        terms = _apply(tx, text, terms, wanted=wanted, changes=changes[start : start + _MAX_CHANGES])
        table.commit(tx)


def find(table: Table, workspace_id: str, query: str) -> Matches:
    """The issues that have all words of a query, open or closed.

    One request for each of up to four words, and one more where some are too common to be read whole.
    """
    asked, is_all = _asked(query)
    hits = [_read(table, workspace_id, word) for word in asked]
    rarest, *others = sorted(hits, key=lambda one: (one.is_cut, len(one.issue_ids)))
    newest_first = sorted(rarest.issue_ids, reverse=True)
    candidates = [issue_id for issue_id in newest_first if all(one.may_have(issue_id) for one in others)]
    found, is_decided = _without_doubt(table, workspace_id, candidates, others=others)
    return Matches(found, is_all and is_decided and not rarest.is_cut)


class _Word(NamedTuple):
    """A word of a query, and the places where it counts."""

    term: str
    places: frozenset[str]

    def is_in(self, row: Attributes) -> bool:
        return not self.places.isdisjoint(decode_item(row).get("places", ()))


class _Hits(NamedTuple):
    word: _Word
    issue_ids: frozenset[str]
    oldest_read: str
    """The issue of the last row, when there may be more."""

    @property
    def is_cut(self) -> bool:
        return self.oldest_read != ""

    def leaves_open(self, issue_id: str) -> bool:
        return issue_id < self.oldest_read

    def may_have(self, issue_id: str) -> bool:
        return issue_id in self.issue_ids or self.leaves_open(issue_id)


def _changes(terms: TermsItem | None, wanted: Places, old_titles: Iterable[str]) -> list[str]:
    """The words whose rows are not as wanted, or may not be."""
    stored = {term: frozenset(places) for term, places in terms.terms.items()} if terms else {}
    changes = {term for term in stored.keys() | wanted.keys() if stored.get(term) != wanted.get(term)}
    for title in old_titles:
        changes.update(
            term for term in first_title_terms(title) if Place.TITLE not in wanted.get(term, frozenset())
        )
    # Lost words go first: a run that is overtaken again and again must not leave more and more behind.
    return sorted(changes, key=lambda term: (term in wanted, term))


def _apply(
    tx: Transaction, text: IssueText, terms: TermsItem | None, *, wanted: Places, changes: Iterable[str]
) -> TermsItem:
    """Collect what makes these words right; returns the item as it will be stored."""
    for item in text.read_from:
        tx.check(item)
    places = dict(terms.terms) if terms else {}
    for term in changes:
        key = search_keys.term(text.workspace_id, term, text.issue_id)
        if term in wanted:
            tx.adjust(key, assign={"places": wanted[term]}, must_exist=False)
            places[term] = sorted(wanted[term])
        else:
            tx.forget(key)
            places.pop(term, None)
    if terms is None:
        first = TermsItem(workspace_id=text.workspace_id, issue_id=text.issue_id, terms=places)
        tx.create(first, refusal=lambda _: VersionMoved())
        return first
    tx.replace(terms.changed(terms=places))
    return terms.changed(terms=places, version=terms.version + 1)


def _asked(query: str) -> tuple[list[_Word], bool]:
    """The words to ask for, and whether these are all: the last one, and the longest of the others."""
    if len(query) > MAX_QUERY:
        raise _unusable(f"A query has at most {MAX_QUERY} characters.", hint="Ask for a few telling words.")
    terms = list(words(query))
    if not terms:
        raise _unusable("There is no word in this query.", hint="Ask for letters or digits.")
    last = terms[-1]
    # Only the last word may be unfinished: the others were typed to their end.
    asked = [_Word(last, _WHOLE_WORDS | {Place.PREFIX.value})]
    others = sorted(dict.fromkeys(term for term in terms if term != last), key=len, reverse=True)
    asked += [_Word(term, _WHOLE_WORDS) for term in others[: MAX_ASKED - 1]]
    return asked, len(others) < MAX_ASKED


def _unusable(message: str, *, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, issues={"query": message})


def _read(table: Table, workspace_id: str, word: _Word) -> _Hits:
    partition = search_keys.terms(workspace_id, word.term)
    rows, next_position = table.query(partition, limit=MAX_ROWS, is_descending=True)
    issue_ids = frozenset(row[SORT]["S"] for row in rows if word.is_in(row))
    return _Hits(word, issue_ids, next_position[SORT] if next_position else "")


def _without_doubt(
    table: Table, workspace_id: str, candidates: list[str], *, others: Sequence[_Hits]
) -> tuple[list[str], bool]:
    """Those that have the other words too, and whether that could be found out for all of them.

    A common word is read back to some issue only. Whether an older one has it is looked up: otherwise a query
    with one such word would find nothing old, and finding nothing reads as if there were nothing.
    """
    cut = [hits for hits in others if hits.is_cut]
    doubtful = [one for one in candidates if any(hits.leaves_open(one) for hits in cut)]
    most = MAX_LOOKED_UP // max(len(cut), 1)
    looked_up = {
        search_keys.term(workspace_id, hits.word.term, one): (hits.word, one)
        for one in doubtful[:most]
        for hits in cut
        if hits.leaves_open(one)
    }
    rows = table.find_rows(looked_up)
    missing = {one for key, (word, one) in looked_up.items() if key not in rows or not word.is_in(rows[key])}
    dropped = missing.union(doubtful[most:])
    return [one for one in candidates if one not in dropped], len(doubtful) <= most
