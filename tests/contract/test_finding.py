"""Whoever says in everyday words what they want is led to the tool for it."""

import pytest

from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from functions.catalog import rules
from infra.registry import find_tools
from tests.contract.phrases import PHRASES
from tests.contract.published import ALL_SCOPES, compiled

OFFERED = [tool for tool in find_tools() if tool.surface is Surface.MCP]


def places() -> list[int]:
    """At which place each phrase has the tool that it is for; a large number where it has none."""
    found = []
    for name, phrases in PHRASES.items():
        for phrase in phrases:
            names = [tool.name for tool, _ in rules.search(compiled(), phrase, ALL_SCOPES)]
            found.append(names.index(name) if name in names else len(OFFERED))
    return found


@pytest.mark.parametrize("tool", OFFERED, ids=str)
def test_a_tool_has_phrases_to_be_found_by_which_it_does_not_declare(tool: AnyTool) -> None:
    asks = {ask.lower() for ask in tool.asks}

    assert len(PHRASES[tool.name]) >= 3
    assert asks.isdisjoint(phrase.lower() for phrase in PHRASES[tool.name])


def test_most_phrases_have_their_tool_first_and_nearly_all_among_three() -> None:
    found = places()

    assert sum(place == 0 for place in found) / len(found) >= 0.8
    assert sum(place < 3 for place in found) / len(found) >= 0.95
