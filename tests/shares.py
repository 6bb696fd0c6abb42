"""Which tests one process runs together: those that share what is dear to set up.

A file stays together, because its tests share fixtures. Tests about the rehearsal of a sample stay together
with all others about that tool, over several files, so that each stage is set by one process only; so do the
files that ask one `forge dev`. Whatever takes long by itself comes first and the many small files last, so
that all processes end at the same time.
"""

import re
from functools import cache

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from forge.contract.catalog import load_catalog

# All but those that set a stage of their own for all tools.
_REHEARSED = re.compile(r"tests/contract/test_(?!deciding|modes|tenants)\w+\.py::\w+\[(?P<tool>[\w.]+)")
# Each is asked by tests of two files: one that runs, and the home of one that was stopped.
_SHARED_DEV = {
    "tests/integration/cli/test_dev_clock.py": "tests/integration/cli/test_dev.py",
    "tests/integration/cli/test_dev_restarts.py": "tests/integration/cli/test_dev_crashes.py",
}
_TIERS = ("tests/integration/", "tests/contract/", "tests/unit/")


class Shares(LoadFileScheduling):  # type: ignore[misc]  # xdist tells nobody its types
    def _split_scope(self, nodeid: str) -> str:
        return share_of(nodeid)


def share_of(nodeid: str) -> str:
    found = _REHEARSED.match(nodeid)
    if found and found["tool"] in _tools():
        return f"rehearsals of {found['tool']}"
    file = nodeid.split("::", 1)[0]
    return _SHARED_DEV.get(file, file)


@cache
def _tools() -> frozenset[str]:
    return frozenset(tool.name for tool in load_catalog().tools)


@pytest.hookimpl
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Shares | None:
    if config.option.dist != "loadfile":
        return None
    # Sorted by how many tests they have, the slowest files would come last: they have few.
    config.option.loadscopereorder = False
    return Shares(config, log)


@pytest.hookimpl
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_tier)


def _tier(item: pytest.Item) -> int:
    return next((place for place, tier in enumerate(_TIERS) if item.nodeid.startswith(tier)), len(_TIERS))
