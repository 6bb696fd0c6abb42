"""An entrance that is one test's own, and a key for it."""

import pytest

from tests.unit.auth.entered import Entrance


@pytest.fixture
def entrance() -> Entrance:
    return Entrance()


@pytest.fixture
def raw(entrance: Entrance) -> str:
    """A person's key, as they have it."""
    return entrance.a_key()


@pytest.fixture
def entered(entrance: Entrance, raw: str) -> Entrance:
    """An entrance that knows that key."""
    return entrance
