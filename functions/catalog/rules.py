"""How the catalog is searched: what the words of a query say of each tool, and how they are said."""

from collections.abc import Iterable, Mapping, Sequence

from forge.contract.catalog import Catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.finding import Finder, Weights
from forge.contract.terms import Effect, Surface
from forge.contract.wording import Either, is_asking, is_of_one, meanings

_LEAST = 0.001
_MIN_PREFIX = 3
_CLOSE_ENOUGH = 80
_MIN_MISSPELT = 5
_WHOLE_PHRASES = 0.4
"""What it counts to be like a whole phrase, next to the words one by one."""
_OTHER_MOOD = 0.8
"""What is left of the score of a tool that changes something for whoever asks, or the other way round."""
_LIST_FOR_ONE = 0.9
"""What is left of the score of a list for whoever speaks of one thing."""


def search(catalog: Catalog, query: str, scopes: frozenset[str]) -> list[tuple[CatalogTool, float]]:
    """The tools these scopes may call that match, best first; scores lie between 0 and 1."""
    named = catalog.find(query.strip())
    shares = score(catalog.finder(), query)
    asking, of_one = is_asking(query), is_of_one(query)
    hits = [
        (tool, 1.0 if tool is named else shares[tool.name] * _likelihood(tool, asking=asking, of_one=of_one))
        for tool in catalog.on(Surface.MCP)
        if (tool is named or tool.name in shares) and tool.required_scopes <= scopes
    ]
    best_first = sorted(hits, key=lambda hit: (hit[0] is not named, -hit[1], hit[0].name))
    return [(tool, round(reached, 3)) for tool, reached in best_first if reached >= _LEAST]


def score(finder: Finder, query: str) -> dict[str, float]:
    """What share of the best that words can say they say of a tool; more where a whole phrase is like it."""
    said = {either: _either(either, finder) for either in dict.fromkeys(meanings(query))}
    known = {either: max(weights.values()) for either, weights in said.items() if weights}
    if not known:
        return {}
    # A word that nobody knows counts like a common one, so that what is half known is half as good.
    possible = sum(known.values()) * len(said) / len(known)
    shares = {name: total / possible for name, total in _sum(said.values()).items()}
    asked = [({stem for meaning in either for stem in meaning}, worth) for either, worth in known.items()]
    return {
        name: (share + _WHOLE_PHRASES * _likeness(asked, possible, finder, name)) / (1 + _WHOLE_PHRASES)
        for name, share in shares.items()
    }


def _likeness(asked: Sequence[tuple[set[str], float]], possible: float, finder: Finder, name: str) -> float:
    """How near the query is to the phrase of a tool that is nearest to it, from 0 to 1."""
    nearest = 0.0
    for saying in finder.sayings(name):
        common = sum(worth for stems, worth in asked if not stems.isdisjoint(saying))
        if common:
            whole = sum(map(finder.most, saying))
            nearest = max(nearest, common / (possible * max(whole, common)) ** 0.5)
    return nearest


def summary(tool: CatalogTool) -> str:
    return tool.description.split("\n\n", 1)[0]


def _likelihood(tool: CatalogTool, *, asking: bool | None, of_one: bool) -> float:
    """How likely whoever speaks like this wants such a tool, whatever it is about."""
    only_reads = tool.effect == Effect.READ_ONLY
    in_mood = 1.0 if asking is None or asking is only_reads else _OTHER_MOOD
    return in_mood * (_LIST_FOR_ONE if of_one and _lists(tool) else 1.0)


def _lists(tool: CatalogTool) -> bool:
    return tool.name.rpartition(".")[2].startswith("list")


def _either(either: Either, finder: Finder) -> Weights:
    return _strongest(_sum(_weights(word, finder) for word in meaning) for meaning in either)


def _weights(word: str, finder: Finder) -> Weights:
    if word in finder.words:
        return finder.weights(word)
    longer = [known for known in finder.words if len(word) >= _MIN_PREFIX and known.startswith(word)]
    return _strongest(finder.weights(known) for known in longer or _closest(word, finder))


def _closest(word: str, finder: Finder) -> list[str]:
    """The word that was probably meant; a short one is near to too many."""
    if len(word) < _MIN_MISSPELT:
        return []
    # Imported here: it costs a cold start 20 ms, and only typing errors need it.
    from rapidfuzz import fuzz, process

    found = process.extractOne(word, finder.words.keys(), scorer=fuzz.ratio, score_cutoff=_CLOSE_ENOUGH)
    return [found[0]] if found else []


def _sum(parts: Iterable[Weights]) -> Mapping[str, float]:
    total: dict[str, float] = {}
    for weights in parts:
        for name, weight in weights.items():
            total[name] = total.get(name, 0) + weight
    return total


def _strongest(candidates: Iterable[Weights]) -> Mapping[str, float]:
    strongest: dict[str, float] = {}
    for weights in candidates:
        for name, weight in weights.items():
            strongest[name] = max(weight, strongest.get(name, 0))
    return strongest
