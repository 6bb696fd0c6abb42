"""The guide to a worker: its first task is done as it says, and its examples are ones that a worker takes."""

import subprocess
from pathlib import Path

from forge.cli.worker.settings.settings import read_settings
from tests.integration.cli.dev_process import running_dev
from tests.integration.guides.test_connecting import followed
from tests.integration.guides.test_guides import EXAMPLES
from tests.unit.cli.worker.workbench import a_repository


def test_the_first_task_of_the_guide_is_done(tmp_path: Path) -> None:
    source = a_repository(tmp_path / "app")
    with running_dev(tmp_path / "home") as dev:
        keys = {
            "FORGE_URL": dev.base_url,
            "FORGE_KEY": dev.owner_key,
            "FORGE_AGENT_KEY": dev.description["keys"]["agents"]["worker"],
            "HOME": str(tmp_path),
        }
        followed("worker.md", keys, source)
        (run,) = dev.call("runs.list", {"issueId": "DEMO-1"}, key=dev.owner_key).json()["data"]

    written = subprocess.run(
        ["git", "show", "forge/DEMO-1-say-hello-in-hello-txt:hello.txt"],
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (run["status"], written.stdout) == ("COMPLETED", "hello\n")


def test_the_example_of_settings_is_one_that_a_worker_takes() -> None:
    settings = read_settings(EXAMPLES / "worker" / "forge-worker.toml", {})

    assert settings.limits.limits().usd == 5
    assert "gh pr create" in settings.git.pull_request
