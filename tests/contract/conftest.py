"""Rehearsals are dear to set up and can be set back, so that all tests share them."""

from collections.abc import Callable
from functools import cache

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from tests.contract.calls import CHANGING
from tests.contract.rehearsals import Rehearsal
from tests.contract.stage import Sample


@pytest.fixture(scope="session")
def rehearse(connections: Connections) -> Callable[[Sample], Rehearsal]:
    return cache(
        lambda sample: Rehearsal(sample, provision(connections, f"rehearsal-{CHANGING.index(sample)}"))
    )
