"""A bench for tests of a whole worker."""

from pathlib import Path

import pytest

from tests.unit.cli.worker.workbench import Bench
from tests.workshop.office import Office


@pytest.fixture
def bench(office: Office, tmp_path: Path) -> Bench:
    return Bench(office, tmp_path, office.an_agents_key())
