"""How the catalog is searched: words of the query against words of names and descriptions."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import log

from forge.contract.catalog import Catalog, CatalogTool
from forge.contract.names import closest
from forge.contract.terms import Surface

_NAME, _SUMMARY, _REST = 4.0, 2.0, 1.0
_PREFIX_MATCH = 0.7
_MIN_PREFIX = 3
_WORD = re.compile(r"[a-z]+(?=[A-Z])|[A-Za-z]+|\d+")
_STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "for",
        "how",
        "i",
        "in",
        "is",
        "it",
        "my",
        "of",
        "on",
        "or",
        "the",
        "this",
        "to",
        "want",
        "with",
    ]
)


@dataclass(frozen=True, slots=True)
class Index:
    """Per tool, the weight of each word; over all tools, how telling a word is."""

    weights: tuple[tuple[CatalogTool, dict[str, float]], ...]
    rarity: dict[str, float]


def search(catalog: Catalog, query: str, scopes: frozenset[str]) -> list[tuple[CatalogTool, float]]:
    """The tools these scopes may call that match, best first; scores lie between 0 and 1."""
    index = index_of(catalog)
    terms = [_known_or_closest(word, index) for word in words(query)]
    named = catalog.find(query.strip())
    scored = [
        (tool, 1.0 if tool is named else _score(terms, weights, index))
        for tool, weights in index.weights
        if tool.required_scopes <= scopes
    ]
    hits = [(tool, score) for tool, score in scored if score > 0]
    return sorted(hits, key=lambda hit: (hit[0] is not named, -hit[1], hit[0].name))


@cache
def index_of(catalog: Catalog) -> Index:
    tools = catalog.on(Surface.MCP)
    weights = tuple((tool, _weights(tool)) for tool in tools)
    seen_in = Counter(word for _, words_of_tool in weights for word in words_of_tool)
    return Index(weights, {word: log(1 + len(tools) / times) for word, times in seen_in.items()})


def words(text: str) -> list[str]:
    """Lower-cased words without stop words, singular as far as an s tells."""
    found = (word.lower() for word in _WORD.findall(text))
    return [_singular(word) for word in found if len(word) > 1 and word not in _STOP_WORDS]


def summary(tool: CatalogTool) -> str:
    return tool.description.split("\n\n", 1)[0]


def _weights(tool: CatalogTool) -> dict[str, float]:
    weights: dict[str, float] = {}
    parts = ((_REST, tool.description), (_SUMMARY, summary(tool)), (_NAME, tool.name))
    for weight, text in parts:
        weights |= dict.fromkeys(words(text), weight)
    return weights


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _known_or_closest(word: str, index: Index) -> str:
    if word in index.rarity or any(_is_prefix(word, known) for known in index.rarity):
        return word
    return next(iter(closest(word, index.rarity, limit=1)), word)


def _score(terms: Iterable[str], weights: dict[str, float], index: Index) -> float:
    rarest = max(index.rarity.values(), default=1.0)
    reached = possible = 0.0
    for term in terms:
        telling = index.rarity.get(term, rarest)
        possible += telling * _NAME
        reached += telling * _match(term, weights)
    return round(reached / possible, 3) if possible else 0.0


def _match(term: str, weights: dict[str, float]) -> float:
    if term in weights:
        return weights[term]
    return max(
        (_PREFIX_MATCH * weight for word, weight in weights.items() if _is_prefix(term, word)), default=0.0
    )


def _is_prefix(short: str, word: str) -> bool:
    return len(short) >= _MIN_PREFIX and word.startswith(short)
