"""How the catalog is searched: what the words of a query say of each tool, added up."""

from collections.abc import Iterable, Mapping

from forge.contract.catalog import Catalog, CatalogTool
from forge.contract.finding import Finder, Weights, words
from forge.contract.terms import Surface

_MIN_PREFIX = 3
_CLOSE_ENOUGH = 75
_MIN_MISSPELT = 5


def search(catalog: Catalog, query: str, scopes: frozenset[str]) -> list[tuple[CatalogTool, float]]:
    """The tools these scopes may call that match, best first; scores lie between 0 and 1."""
    named = catalog.find(query.strip())
    scores = score(catalog.finder(), query)
    if named is not None:
        scores[named.name] = 1.0
    hits = [
        (tool, scores[tool.name])
        for tool in catalog.on(Surface.MCP)
        if scores.get(tool.name, 0) > 0 and tool.required_scopes <= scopes
    ]
    return sorted(hits, key=lambda hit: (hit[0] is not named, -hit[1], hit[0].name))


def score(finder: Finder, query: str) -> dict[str, float]:
    """What share of the best that each word can say, it says of a tool."""
    said = [_weights(word, finder) for word in dict.fromkeys(words(query))]
    known = [max(weights.values()) for weights in said if weights]
    if not known:
        return {}
    # A word that nobody knows counts like a common one, so that a query of which half is known scores half.
    possible = sum(known) * len(said) / len(known)
    reached: dict[str, float] = {}
    for weights in said:
        for name, weight in weights.items():
            reached[name] = reached.get(name, 0) + weight
    return {name: round(total / possible, 3) for name, total in reached.items()}


def summary(tool: CatalogTool) -> str:
    return tool.description.split("\n\n", 1)[0]


def _weights(word: str, finder: Finder) -> Weights:
    if word in finder.weights:
        return finder.weights[word]
    longer = [known for known in finder.weights if len(word) >= _MIN_PREFIX and known.startswith(word)]
    return _strongest(finder.weights[known] for known in longer or _closest(word, finder))


def _closest(word: str, finder: Finder) -> list[str]:
    """The word that was probably meant; a short one is near to too many."""
    if len(word) < _MIN_MISSPELT:
        return []
    # Imported here: it costs a cold start 20 ms, and only typing errors need it.
    from rapidfuzz import fuzz, process

    found = process.extractOne(word, finder.weights.keys(), scorer=fuzz.ratio, score_cutoff=_CLOSE_ENOUGH)
    return [found[0]] if found else []


def _strongest(candidates: Iterable[Weights]) -> Mapping[str, float]:
    strongest: dict[str, float] = {}
    for weights in candidates:
        for name, weight in weights.items():
            strongest[name] = max(weight, strongest.get(name, 0))
    return strongest
