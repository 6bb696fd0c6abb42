"""One `forge dev` for all tests that leave it as it was, and a home to copy for those that do not."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge.testing.github import TOKEN
from forge.testing.openid import OpenIdProvider
from forge.work.backlog.github.connections import OWN_TOKEN
from tests.integration.cli.dev_process import Dev, running_dev


@pytest.fixture(scope="session")
def provider() -> Iterator[OpenIdProvider]:
    """Where people of the shared Forge have accounts."""
    found = OpenIdProvider()
    with found.serve():
        yield found


@pytest.fixture(scope="session")
def dev(tmp_path_factory: pytest.TempPathFactory, provider: OpenIdProvider) -> Iterator[Dev]:
    single_sign_on = {
        "FORGE_OIDC_ISSUER": provider.issuer,
        "FORGE_OIDC_CLIENT_ID": provider.client_id,
        "FORGE_OIDC_SECRET": provider.client_secret,
        "FORGE_OIDC_LOOPBACK": "1",
    }
    home = tmp_path_factory.mktemp("shared") / "home"
    with running_dev(home, {OWN_TOKEN: TOKEN, **single_sign_on}) as started:
        provider.now = lambda: started.now().timestamp()
        yield started


@pytest.fixture(scope="session")
def stopped_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a Forge that was started once, got a label, and was stopped."""
    home = tmp_path_factory.mktemp("stopped") / "home"
    with running_dev(home) as started:
        started.add_label("first")
        assert started.stop(signal.SIGINT) == 0, started.output
    return home


@pytest.fixture
def home(stopped_home: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test."""
    return Path(shutil.copytree(stopped_home, tmp_path / "home"))
