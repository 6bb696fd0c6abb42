"""Which words a text is found by, the same when it is stored and asked for; and what a query asks for."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import groupby
from re import findall
from typing import NamedTuple
from unicodedata import category

from forge.errors import InvalidInput
from forge.store.folding import folded

MAX_WORD = 40
"""In characters; what is longer is cut, in texts and in queries alike."""
MAX_TITLE_TERMS = 24
"""So many are written together with the issue."""
MAX_TEXT_TERMS = 200
MAX_TEXT_BYTES = 8 * 1024
PREFIX_LENGTHS = (3, 6, 10)
"""Of these, beginnings of words are stored; what is between them is told by the titles that they lead to."""

# Written without spaces: Japanese marks of repetition, Hangul letters, kana, Han, Hangul syllables, and the
# later planes of kana and Han. Compatibility forms are normalised to one of these before they are looked at.
_UNSPACED = (
    (0x1100, 0x11FF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x323AF),
)
_SELECTS_A_VARIANT = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))


class WordPlace(StrEnum):
    """Where in an issue a term was found."""

    TITLE = "title"
    PREFIX = "prefix"
    TEXT = "text"


_EVERYWHERE = frozenset(
    findall(
        r"\w+",
        """
        a about after again all also although an and another any are as at be because been before both but by
        can come comes could did do does each either else even every everybody everyone everything few for
        from had has have he her here his how i if in into is it its just looks makes may me might more most
        much must my neither no nobody not nothing now of off often on once only or other others our out own
        same shall she should so some somebody someone something still such than that the their them then
        there these they this those though through to too until up us very was we were what when where whether
        which while who whose why will with without would yet you your
        """,
    )
)
"""English words that stand in most texts: they are not indexed, because asking for them tells nothing."""

Places = dict[str, frozenset[str]]
"""Terms, each with its places."""


class _Kind(StrEnum):
    UNSPACED = "unspaced"
    SPACED = "spaced"
    BETWEEN = "between"


def words(text: str) -> Iterator[str]:
    """The terms of a text, one after the other; of unspaced scripts every two neighbours."""
    for kind, chars in groupby(_normalized(text), _kind_of):
        if kind is _Kind.BETWEEN:
            continue
        run = "".join(chars)
        terms = _pairs(run) if kind is _Kind.UNSPACED else [run[:MAX_WORD]]
        # Accents alone are no word: they stood on something that is none.
        yield from (term for term in terms if any(map(str.isalnum, term)))


def distinct_words(text: str) -> list[str]:
    """The words of a text that are worth searching for, each once."""
    return [word for word in dict.fromkeys(words(text)) if _tells_something(word)]


def _tells_something(word: str) -> bool:
    """Single letters and digits stand in most texts, too; single signs of unspaced scripts are words."""
    return word not in _EVERYWHERE and not (len(word) == 1 and word.isascii())


def first_title_terms(title: str) -> list[str]:
    """The words of a title that are indexed in the transaction that writes the issue."""
    return distinct_words(title)[:MAX_TITLE_TERMS]


def places_of(title: str, description: str) -> Places:
    """Everything that an issue with these texts is to be found by."""
    title_words = distinct_words(title)
    text_words = distinct_words(_beginning(description))[:MAX_TEXT_TERMS]
    found: dict[str, set[str]] = {}
    for place, terms in (
        (WordPlace.TITLE, title_words),
        (WordPlace.PREFIX, _prefixes(title_words)),
        # A word of the title finds the issue anyway, by a row that came with it: that is not written again.
        (WordPlace.TEXT, [word for word in text_words if word not in title_words]),
    ):
        for term in terms:
            found.setdefault(term, set()).add(place.value)
    return {term: frozenset(places) for term, places in found.items()}


def _normalized(text: str) -> str:
    return folded(text).translate(_SELECTS_A_VARIANT)


def _kind_of(char: str) -> _Kind:
    # Vowel signs and accents that have no composed form belong to their word, though they are no letters.
    if not char.isalnum() and category(char) not in ("Mn", "Mc"):
        return _Kind.BETWEEN
    is_unspaced = any(first <= ord(char) <= last for first, last in _UNSPACED)
    return _Kind.UNSPACED if is_unspaced else _Kind.SPACED


def _pairs(run: str) -> Iterable[str]:
    if len(run) == 1:
        return [run]
    return (run[place : place + 2] for place in range(len(run) - 1))


def _prefixes(title_words: Iterable[str]) -> Iterator[str]:
    return (word[:length] for word in title_words for length in PREFIX_LENGTHS if length < len(word))


def _beginning(text: str) -> str:
    """As much as is indexed, cut at a character."""
    return text.encode(errors="ignore")[:MAX_TEXT_BYTES].decode(errors="ignore")


MAX_QUERY = 200
"""In characters."""
MAX_ASKED = 4
"""Words whose rows are read; the others are looked for in what these rows lead to."""

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
    """The last word, where no beginning as long as it is stored: the rows tell only how it begins."""

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
    asked_for = list(words(text))
    if not asked_for:
        raise _unusable("There is no word in this query.", hint="Ask for letters or digits.")
    terms = [term for term in asked_for if _tells_something(term)] or asked_for[-1:]
    last = terms[-1]
    others = sorted(dict.fromkeys(term for term in terms if term != last), key=len, reverse=True)
    asked, rest = others[: MAX_ASKED - 1], others[MAX_ASKED - 1 :]
    return Query(
        [_last(last), *(Word((IndexRows(term, _WHOLE_WORDS),)) for term in asked)],
        rest,
        last if _stored_beginning(last) != last else None,
    )


def _last(term: str) -> Word:
    """Only the last word may be unfinished: the others were typed to their end."""
    beginning = _stored_beginning(term)
    if beginning == term:
        return Word((IndexRows(term, _WHOLE_WORDS | _PREFIX),))
    return Word((IndexRows(term, _WHOLE_WORDS), IndexRows(beginning, _PREFIX)))


def _stored_beginning(term: str) -> str:
    """As much of an unfinished word as there are rows of."""
    lengths = [length for length in PREFIX_LENGTHS if length <= len(term)]
    return term[: lengths[-1]] if lengths else term


def _unusable(message: str, *, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, issues={"query": message})
