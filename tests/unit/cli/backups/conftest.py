"""A furnished house and its backup, and a house elsewhere."""

from pathlib import Path

import pytest

from forge.store.connections import Connections
from tests.unit.cli.backups.houses import House


@pytest.fixture(scope="module")
def house(connections: Connections) -> House:
    """Furnished once, because that takes longer than most tests: only its keys and its log change."""
    made = House(connections)
    made.furnish()
    return made


@pytest.fixture(scope="module")
def text(house: House) -> str:
    return house.exported()


@pytest.fixture
def elsewhere(connections: Connections) -> House:
    """Another deployment, with another workspace."""
    return House(connections)


@pytest.fixture
def backup(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "backup.jsonl"
    path.write_text(text, encoding="utf-8")
    return path
