"""A bench for tests of a whole worker."""

from pathlib import Path

import pytest

from forge.cli.worker.git.repositories import Repository
from forge.cli.worker.git.worktrees import Worktree, prepare
from tests.unit.cli.worker.workbench import BRANCH, Bench, a_repository
from tests.workshop.office import Office


@pytest.fixture
def bench(office: Office, tmp_path: Path) -> Bench:
    return Bench(office, tmp_path, office.an_agents_key())


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    source = a_repository(tmp_path / "source")
    found = Repository(str(source), tmp_path / "clone.git")
    found.fetch()
    return found


@pytest.fixture
def worktree(repository: Repository, tmp_path: Path) -> Worktree:
    return prepare(repository, tmp_path / "DEMO-1", BRANCH)
