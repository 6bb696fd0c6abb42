"""Whoever says in everyday words what they want is led to the tool for it."""

from collections.abc import Iterable

from forge.contract.terms import Surface
from functions.catalog import rules
from infra.finding import SAYINGS
from infra.registry import find_tools
from tests.contract import said
from tests.contract.calls import MODULES
from tests.contract.published import ALL_SCOPES, compiled
from tests.contract.said import Said

OFFERED = [tool for tool in find_tools() if tool.surface is Surface.MCP]

# None of tuned.txt is among the `asks` of its tool; those of a new tool may stand beside its samples.
TUNED = [
    *said.read("tuned"),
    *(
        Said(phrase, frozenset([name]))
        for module in MODULES
        for name, phrases in getattr(module, "PHRASES", {}).items()
        for phrase in phrases
    ),
]


def shares(wanted: Iterable[Said]) -> tuple[float, float]:
    """Of how many phrases the tool comes first, and of how many it is among three."""
    places = [place(each) for each in wanted]
    return sum(at == 0 for at in places) / len(places), sum(at < 3 for at in places) / len(places)


def place(wanted: Said) -> int:
    names = [tool.name for tool, _ in rules.search(compiled(), wanted.phrase, ALL_SCOPES)]
    return next((at for at, name in enumerate(names) if name in wanted.meant), len(OFFERED))


def test_a_tool_has_phrases_to_be_found_by_which_it_does_not_declare() -> None:
    for tool in OFFERED:
        phrases = {each.phrase.lower() for each in TUNED if tool.name in each.meant}

        assert len(phrases) >= 3, tool
        assert phrases.isdisjoint(ask.lower() for ask in tool.asks), tool


def test_most_phrases_have_their_tool_first_and_nearly_all_among_three() -> None:
    first, among_three = shares(TUNED)

    assert first >= 0.87
    assert among_three >= 0.97


def test_what_the_vocabulary_was_made_with_is_found() -> None:
    first, among_three = shares(said.read("known"))

    assert first >= 0.87
    assert among_three >= 0.97


def test_phrases_that_nobody_tuned_for_lead_to_their_tool() -> None:
    """The phrases of unseen.txt are never used for tuning: neither vocabulary nor weights nor `asks` may be
    changed because of one of them. Whoever wants to do so moves the file's lines to known.txt, and writes as
    many new ones first. The numbers are a little below what was measured when they were new."""
    first, among_three = shares(said.read("unseen"))

    assert first >= 0.83
    assert among_three >= 0.95


def test_every_phrase_means_tools_that_are_offered() -> None:
    phrases = [*TUNED, *said.read("known"), *said.read("unseen")]

    assert {name for each in phrases for name in each.meant} <= {tool.name for tool in OFFERED}


def test_the_phrases_that_measure_are_in_no_index() -> None:
    indexed = {ask.lower() for tool in OFFERED for ask in (*tool.asks, *SAYINGS.get(tool.name, ()))}

    measuring = {each.phrase.lower() for each in said.read("unseen")}

    assert len(indexed & measuring) / len(measuring) < 0.1
