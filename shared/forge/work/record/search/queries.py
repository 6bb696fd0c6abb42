"""What a query asks for: which rows of the index lead to issues, and which words those rows can't tell of."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from forge.errors import InvalidInput
from forge.work.record.search.words import PREFIX_LENGTHS, WordPlace, distinct_words, words

MAX_QUERY = 200
"""In characters."""
MAX_ASKED = 4
"""Words whose rows are read; the others are looked for in what these rows lead to."""

_LONGEST_PREFIX = PREFIX_LENGTHS[-1]
_WHOLE_WORDS = frozenset({WordPlace.TITLE.value, WordPlace.TEXT.value})
_PREFIX = frozenset({WordPlace.PREFIX.value})


class IndexRows(NamedTuple):
    """The rows of a term, of which those count that name one of these places."""

    term: str
    places: frozenset[str]

    def have(self, places: Collection[str]) -> bool:
        return not self.places.isdisjoint(places)


class Word(NamedTuple):
    """A word whose rows are read; an issue that has any of them may have the word."""

    rows: tuple[IndexRows, ...]


class Query(NamedTuple):
    asked: list[Word]
    whole: list[str]
    """Words that must occur and are not asked for: the rows that are read do not tell."""
    unfinished: str | None
    """The last word, where it is longer than any stored beginning: the rows tell only how it begins."""

    @property
    def is_decided_by_rows(self) -> bool:
        return not self.whole and self.unfinished is None

    def is_met_by(self, title: str, terms: Mapping[str, Collection[str]]) -> bool:
        """Whether an issue that the rows led to has the rest as well: in its title, or in its terms."""
        in_title = distinct_words(title)

        def has(word: str) -> bool:
            return word in in_title or not _WHOLE_WORDS.isdisjoint(terms.get(word, ()))

        if not all(map(has, self.whole)):
            return False
        last = self.unfinished
        return last is None or has(last) or any(word.startswith(last) for word in in_title)


def query_of(text: str) -> Query:
    """The rows of the last word and of the longest others are read, because these are the rarest."""
    if len(text) > MAX_QUERY:
        raise _unusable(f"A query has at most {MAX_QUERY} characters.", hint="Ask for a few telling words.")
    terms = list(words(text))
    if not terms:
        raise _unusable("There is no word in this query.", hint="Ask for letters or digits.")
    last = terms[-1]
    others = sorted(dict.fromkeys(term for term in terms if term != last), key=len, reverse=True)
    asked, rest = others[: MAX_ASKED - 1], others[MAX_ASKED - 1 :]
    return Query(
        [_last(last), *(Word((IndexRows(term, _WHOLE_WORDS),)) for term in asked)],
        rest,
        last if len(last) > _LONGEST_PREFIX else None,
    )


def _last(term: str) -> Word:
    """Only the last word may be unfinished: the others were typed to their end."""
    if len(term) <= _LONGEST_PREFIX:
        return Word((IndexRows(term, _WHOLE_WORDS | _PREFIX),))
    return Word((IndexRows(term, _WHOLE_WORDS), IndexRows(term[:_LONGEST_PREFIX], _PREFIX)))


def _unusable(message: str, *, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, issues={"query": message})
