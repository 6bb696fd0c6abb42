"""A successful call of every tool, collected from `samples`.

A sample does as much as its tool can: it refers to whatever can be referred to, and changes whatever moves
other items along, because the tests measure what it costs and break it at every step.
"""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

import pytest

from forge.contract.terms import Effect, Surface
from infra.events import example_arguments
from tests.contract import samples
from tests.contract.stage import ALL_TOOLS, Prepare, Sample

MODULES = [
    importlib.import_module(f"{samples.__name__}.{module.name}")
    for module in pkgutil.iter_modules(samples.__path__)
]
_GIVEN: tuple[Sample, ...] = tuple(one for module in MODULES for one in module.SAMPLES)

SAMPLES: tuple[Sample, ...] = _GIVEN + tuple(
    # A tool that needs nothing to be there first is called as its own description says.
    Sample(tool, lambda stage, tool=tool: example_arguments(tool))  # type: ignore[misc]
    for tool in ALL_TOOLS.values()
    if tool.name not in {sample.tool.name for sample in _GIVEN}
)


@cache
def samples_of(tool_name: str) -> tuple[Sample, ...]:
    return tuple(sample for sample in SAMPLES if sample.tool.name == tool_name)


def calls_on_an_issue() -> dict[str, Prepare]:
    """How each tool that only an EXECUTE run may call is called on a given issue, from `ON_ISSUE`."""
    return {name: call for module in MODULES for name, call in getattr(module, "ON_ISSUE", {}).items()}


def _every(samples: Iterable[Sample]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("sample", tuple(samples), ids=str)


# Faults of what is done elsewhere are rehearsed in tests/unit/backlog/github, on a GitHub that fails.
CHANGING = tuple(one for one in SAMPLES if one.tool.effect is not Effect.READ_ONLY and not one.elsewhere)

every_sample = _every(SAMPLES)
every_changing_sample = _every(CHANGING)
every_offered_sample = _every(one for one in SAMPLES if one.tool.surface is Surface.MCP)
