"""The guide to a worker: its first task is done as it says, and its examples are ones that a worker takes."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

from forge.cli.worker.commands import app
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


def _of_systemd(text: str) -> list[str]:
    (found,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    return shlex.split(found)


def _of_container(text: str) -> list[str]:
    (found,) = re.findall(r"^ENTRYPOINT (\[.+\])$", text, re.MULTILINE)
    return list(json.loads(found))


@pytest.mark.parametrize(
    ("name", "command_in"), [("forge-worker.service", _of_systemd), ("Containerfile", _of_container)]
)
def test_the_examples_start_a_worker_with_words_that_it_knows(
    name: str, command_in: Callable[[str], list[str]]
) -> None:
    program, *words = command_in((EXAMPLES / "worker" / name).read_text(encoding="utf-8"))

    assert (Path(program).name, words[0]) == ("forge", "worker")
    get_command(app).make_context("worker", words[1:])


def test_the_folder_of_a_worker_in_a_container_is_its_own() -> None:
    """A volume belongs to root, unless the image has its folder for somebody else."""
    lines = (EXAMPLES / "worker" / "Containerfile").read_text(encoding="utf-8")

    (user,), (folder,) = re.findall(r"^USER (\S+)$", lines, re.M), re.findall(r"^VOLUME (\S+)$", lines, re.M)
    made = re.search(rf"install --directory --owner {user} [^\n]*{folder}$", lines, re.M)
    assert made
    assert made.start() < lines.index(f"USER {user}")
