"""Connects real clients to a Forge on this machine: each lists the tools and calls one.

python -m tests.clients.run --uv .tools/uv/bin/uv --into .tools/clients
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forge.wire.paths import RPC_PATH
from tests.clients import asked, asleep, at_home, plugged, signing_in
from tests.clients.screen import NotSeen
from tests.clients.table import NODE_SCRIPTS, PYTHON_CLIENTS, TERMINALS, PythonClient, Terminal
from tests.integration.cli.dev_process import Dev, running_dev

SCRIPTS = Path(__file__).with_name("scripts")
_SECONDS = 120


class Failed(Exception):
    """A client that did not get through; the message is what it said last."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True, help="where the clients are installed")
    parser.add_argument("only", nargs="*", help="names of clients; all by default")
    given = parser.parse_args()
    with TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        environment = {
            **os.environ,
            "HOME": folder,
            "FORGE_URL": f"{dev.base_url}{RPC_PATH}",
            "FORGE_AGENT_KEY": str(dev.description["keys"]["agents"]["worker"]),
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        outcomes = [
            _tell(name, connect)
            for name, connect in _clients(dev, given.uv.resolve(), given.into.resolve(), environment)
            if not given.only or name in given.only
        ]
    print(f"{sum(outcomes)} of {len(outcomes)} clients connected, listed and called.")
    return 0 if all(outcomes) else 1


def _clients(
    dev: Dev, uv: Path, into: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, Callable[[], str]]]:
    for client in PYTHON_CLIENTS:
        yield client.name, partial(_run_python, client, uv, into, environment)
    for name, script in NODE_SCRIPTS.items():
        yield name, partial(_run_node, script, into, environment)
    yield "Claude Code's screen", partial(at_home.seen, dev, into / "npm/node_modules/.bin/claude")
    yield "Claude Code asked", partial(asked.answered, dev, into / "npm/node_modules/.bin/claude")
    yield "Claude Code plugin", partial(plugged.used, dev, into / "npm/node_modules/.bin/claude")
    yield "Claude Code asleep", partial(asleep.woken, into / "npm/node_modules/.bin/claude")
    programs = into / "npm/node_modules/.bin"
    yield "Claude Code signs in", partial(signing_in.claude_code, dev, programs / "claude")
    yield "Codex signs in", partial(signing_in.codex, dev, programs / "codex")
    yield "mcp 2 signs in", partial(_sign_in_python, dev, uv, into)
    yield "mcp-remote signs in", partial(_sign_in_node, dev, into)
    for terminal in TERMINALS:
        yield terminal.name, partial(_run_terminal, terminal, into, environment)


def _tell(name: str, connect: Callable[[], str]) -> bool:
    try:
        print(f"{name:20} {connect()}", flush=True)
    except (Failed, NotSeen, AssertionError, subprocess.TimeoutExpired) as failure:
        print(f"{name:20} FAILED: {failure}", flush=True)
        return False
    return True


def _run_python(client: PythonClient, uv: Path, into: Path, environment: Mapping[str, str]) -> str:
    folder = _installed(client, uv, into)
    command = [str(folder / "bin/python"), str(SCRIPTS / client.script)]
    return _summary(_output(command, environment, into.parent))


def _installed(client: PythonClient, uv: Path, into: Path) -> Path:
    folder = into / client.script.removesuffix(".py")
    mark, wanted = folder / "installed", "\n".join(client.requirements)
    if not mark.exists() or mark.read_text(encoding="utf-8") != wanted:
        _output([str(uv), "venv", "--quiet", "--clear", str(folder)], os.environ, into.parent)
        install = [str(uv), "pip", "install", "--quiet", "--python", str(folder / "bin/python")]
        _output([*install, *client.requirements], os.environ, into.parent)
        mark.write_text(wanted, encoding="utf-8")
    return folder


def _sign_in_python(dev: Dev, uv: Path, into: Path) -> str:
    client = next(one for one in PYTHON_CLIENTS if one.name == "mcp 2")
    folder = _installed(client, uv, into)
    command = [str(folder / "bin/python"), str(SCRIPTS / "mcp_2_signs_in.py")]
    return signing_in.by_script(dev, "the Python SDK", command)


def _sign_in_node(dev: Dev, into: Path) -> str:
    copy = _beside_packages("mcp_remote_signs_in.mjs", into)
    return signing_in.by_script(dev, "mcp-remote", ["node", str(copy)], copy.parent)


def _run_node(script: str, into: Path, environment: Mapping[str, str]) -> str:
    copy = _beside_packages(script, into)
    return _summary(_output(["node", str(copy)], environment, copy.parent))


def _beside_packages(script: str, into: Path) -> Path:
    """Beside what it imports: Node looks for packages from the script's own folder upwards."""
    copy = into / "npm" / script
    copy.write_text((SCRIPTS / script).read_text(encoding="utf-8"), encoding="utf-8")
    return copy


def _run_terminal(terminal: Terminal, into: Path, environment: Mapping[str, str]) -> str:
    programs, home = into / "npm" / "node_modules" / ".bin", Path(environment["HOME"])
    said = ""
    for program, *words in terminal.commands:
        filled = [
            word.format(url=environment["FORGE_URL"], key=environment["FORGE_AGENT_KEY"]) for word in words
        ]
        # Some say it where others complain.
        said = _run([str(programs / program), *filled], environment, home, stderr=subprocess.STDOUT)
    if terminal.expected not in said:
        raise Failed(said[-300:])
    return f"says {terminal.expected!r}"


def _output(command: list[str], environment: Mapping[str, str], folder: Path) -> str:
    return _run(command, environment, folder, stderr=subprocess.PIPE)


def _run(command: list[str], environment: Mapping[str, str], folder: Path, *, stderr: int) -> str:
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode:
        raise Failed((done.stderr or done.stdout).strip()[-300:])
    return done.stdout


def _summary(output: str) -> str:
    found = json.loads(output.strip().splitlines()[-1])
    if "worker" not in found["answer"] or not any("issues_claim" in name for name in found["tools"]):
        raise Failed(output[-300:])
    told = f"{len(found['tools'])} tools, agents_me answered"
    return f"{told}, {_offered(found)}" if "prompts" in found else told


def _offered(found: Mapping[str, Any]) -> str:
    """Of a client that has more to show than tools."""
    is_filled_in = "start_work" in found["prompts"] and "The issue: DEMO-12 (" in found["prompt"]
    is_read = "forge://issue/{identifier}" in found["templates"] and found["resource"].startswith("# ")
    if not (is_filled_in and is_read):
        raise Failed(str({**found, "tools": "as above"})[-600:])
    return f"{len(found['prompts'])} prompts, {len(found['templates'])} templates, one of each read"


if __name__ == "__main__":
    sys.exit(main())
