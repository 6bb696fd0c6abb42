"""Programs that sign in: from the address of /mcp to the first call, with a person who says yes in a browser.

What is printed are the steps of that browser and the seconds of the whole.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from forge.wire.paths import MCP_PATH
from tests.clients.claude_code import PROJECT, settled
from tests.clients.screen import NotSeen, shown
from tests.integration.cli.dev_process import Dev
from tests.worker_clients.model import Turn, serving

ROOT = Path(__file__).parents[2]
_SECONDS = 90
_MODEL_KEY = "sk-ant-api03-a-key-that-nobody-checks-000000000000000000000000"
_PROVIDER = (
    'model_providers.scripted={{name="scripted",base_url="{url}/v1",wire_api="responses",env_key="SCRIPTED"}}'
)


class Home(NamedTuple):
    """A person's own folder, with a browser that says yes."""

    folder: Path
    url: str
    dev: Dev
    environment: dict[str, str]

    @property
    def steps(self) -> list[str]:
        return Path(self.environment["FORGE_STEPS"]).read_text(encoding="utf-8").splitlines()

    def run(self, *command: str, folder: Path | None = None, **more: str) -> str:
        done = subprocess.run(
            command,
            env=self.environment | more,
            cwd=folder or self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-600:]
        return done.stdout


@contextmanager
def at_home(dev: Dev) -> Iterator[Home]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        programs = folder / "bin"
        programs.mkdir()
        browser = programs / "xdg-open"
        words = " ".join(map(shlex.quote, [sys.executable, "-m", "tests.clients.browsing"]))
        browser.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))} && exec {words} "$@"\n', encoding="utf-8")
        browser.chmod(0o755)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("ANTHROPIC", "CLAUDE", "CODEX", "OPENAI", "FORGE"))
        }
        own = {
            "HOME": str(folder),
            "CODEX_HOME": str(folder / ".codex"),
            "PATH": f"{programs}{os.pathsep}{kept['PATH']}",
            "BROWSER": str(browser),
            "FORGE_PERSON_KEY": dev.owner_key,
            "FORGE_STEPS": str(folder / "steps"),
            "FORGE_URL": f"{dev.base_url}{MCP_PATH}",
            "NO_PROXY": "127.0.0.1,localhost",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",
        }
        (folder / ".codex").mkdir()
        yield Home(folder, own["FORGE_URL"], dev, kept | own)


def by_script(dev: Dev, name: str, command: Sequence[str], folder: Path | None = None) -> str:
    """A library in a script of ours, which makes its issue by itself."""
    with at_home(dev) as home:
        begun = perf_counter()
        home.run(*command, folder=folder, FORGE_TITLE=_title(name))
        return _told(home, name, perf_counter() - begun)


def claude_code(dev: Dev, program: Path) -> str:
    name = "Claude Code"
    with at_home(dev) as home, serving(_script(name)) as model:
        project = home.folder / PROJECT
        project.mkdir()
        (home.folder / ".claude.json").write_text(json.dumps(settled(project)), encoding="utf-8")
        begun = perf_counter()
        add = ("mcp", "add", "--scope", "user", "--transport", "http", "forge", home.url)
        home.run(str(program), *add, folder=project)
        # It signs in at a terminal alone.
        with shown([str(program), "mcp", "login", "forge"], home.environment, project) as screen:
            screen.wait_for("Authenticated with|available in Claude Code")
        assert "Connected" in home.run(str(program), "mcp", "list", folder=project)
        model_settings = {"ANTHROPIC_BASE_URL": model, "ANTHROPIC_API_KEY": _MODEL_KEY}
        allowed = ("--allowedTools", "mcp__forge__*", "-p", "Do it.")
        home.run(str(program), *allowed, folder=project, **model_settings)
        return _told(home, name, perf_counter() - begun)


def codex(dev: Dev, program: Path) -> str:
    name = "Codex"
    with at_home(dev) as home, serving(_script(name)) as model:
        begun = perf_counter()
        said = home.run(str(program), "mcp", "add", "forge", "--url", home.url)
        assert "Successfully logged in" in said, said[-400:]
        # Those that it knows by name are given its tools in a form of their own.
        settings = ("-m", "scripted", "-c", 'model_provider="scripted"', "-c", _PROVIDER.format(url=model))
        trusted = ("--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
        home.run(str(program), "exec", *settings, *trusted, "Do it.", SCRIPTED="x")
        return _told(home, name, perf_counter() - begun)


def _script(name: str) -> list[Turn]:
    return [Turn(tool="issues_create", arguments={"title": _title(name)}), Turn("Done.")]


def _title(name: str) -> str:
    return f"From {name}, which signed in"


def _told(home: Home, name: str, seconds: float) -> str:
    """That the first call was made in the person's name, and how long all of it took."""
    found = home.dev.call("issues.list", {"query": _title(name)}, key=home.dev.owner_key).json()["data"]
    if [one["title"] for one in found] != [_title(name)]:
        raise NotSeen(f"it made no issue: {found} {home.steps}")
    listed: Mapping[str, list[dict[str, object]]] = home.dev.call(
        "keys.list", {"limit": 100}, key=home.dev.owner_key, surface="admin"
    ).json()
    names = [str(one["name"]) for one in listed["data"] if one["kind"] == "SESSION"]
    *steps, clicking = home.steps
    seen = [step.split(" ")[1].rpartition("/")[2] for step in steps if not step.startswith("→")]
    clicked = f"{' → '.join(seen)} in {clicking}; key {names[0]!r}"
    return f"signed in and called in {seconds:.1f} s; {clicked}"
