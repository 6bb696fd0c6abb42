"""A GitHub on this machine, and whoever asks it without ever sleeping."""

from collections.abc import Iterator

import pytest

from forge.testing.github import FakeGitHub
from tests.unit.github.asking import Asker


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as running:
        yield running


@pytest.fixture
def asker(github: FakeGitHub) -> Asker:
    return Asker(github)
