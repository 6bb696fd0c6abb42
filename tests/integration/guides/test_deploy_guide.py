"""The guide to deploying: its commands can be typed as they stand there."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from forge.cli.main import app
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from infra.stack.parameters import PARAMETERS

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "guides" / "deploy.md").read_text()
COMMANDS = [
    line.removeprefix("$ ")
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
MADE = [*(line for line in COMMANDS if line.startswith("make ")), "make deploy-local", "make lint-stack"]


@pytest.mark.parametrize("command", MADE)
def test_what_it_has_made_is_there_to_be_made(command: str) -> None:
    """What each does with an account is what `make deploy-local` shows."""
    done = subprocess.run(
        [*shlex.split(command), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    given = dict(word.split("=") for word in command.split() if "=" in word)
    if "TEAM" in given:
        place = f'--team "{given["TEAM"]}" --env "{given.get("ENV", "prod")}"'
        assert f"infra.deploy {place}" in done.stdout


def test_the_first_day_goes_as_it_says(connections: Connections, tmp_path: Path) -> None:
    typed = [line for line in COMMANDS if line.startswith("forge admin ")]
    world = World(store=provision(connections, "forge-test-deploy-guide"))
    mine = {name: None for name in os.environ if name.startswith("FORGE_")}

    with serve(world.edge) as url:
        at = {"FORGE_URL": url, "FORGE_KEY": world.owner_key(), "FORGE_HOME": str(tmp_path)}
        ended = [CliRunner().invoke(app, shlex.split(line)[1:], env={**mine, **at}) for line in typed]

    assert len(typed) > 3
    assert [one.exit_code for one in ended] == [0] * len(typed), [one.stderr for one in ended]


def test_the_parameters_that_it_names_are_there() -> None:
    named = {
        name
        for row in re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
        for name in re.findall(r"`(\w+)", row)
    }

    assert len(named) > 10
    assert named <= PARAMETERS.keys()


def test_what_deploys_in_ci_takes_a_role_and_no_key() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "deploy.yml").read_text())
    (job,) = workflow["jobs"].values()
    commands = [step.get("run", "") for step in job["steps"]]

    assert workflow["permissions"] == {"contents": "read", "id-token": "write"}
    assert "secrets." not in str(workflow)
    assert "make deploy YES=1" in commands
    # What somebody typed is never a part of a command.
    assert not any("${{" in command for command in commands)
    assert workflow["concurrency"]["cancel-in-progress"] is False
