"""The suite's scenarios for authorization servers, against `forge dev`, with a person who says yes."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forge.cli.local.listening import free_port
from tests.clients.browsing import let_in, send
from tests.conformance.suite import Suite, SuiteFailed
from tests.integration.cli.dev_process import running_dev

SCENARIOS = ("authorization-server-metadata-endpoint", "authorization-code-grant")
NO_WAY_OUT = "authorization-server-metadata-cimd"
"""A server on one machine fetches no documents, and does not say that it does; the suite regrets it."""
_URL = re.compile(r"^http://\S+/oauth/authorize\?\S+$")


def run(suite: Suite) -> Mapping[str, list[str]]:
    """By scenario, the statuses of its checks."""
    directory = suite.results / "authorization"
    directory.mkdir(parents=True)
    with TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        port = free_port()
        told = {"client_name": "The suite", "redirect_uris": [f"http://127.0.0.1:{port}/callback"]}
        client: dict[str, Any] = dev.post("/oauth/register", told).json()
        arguments = (
            *("authorization", "--url", f"{dev.base_url}/oauth", "--client-id", client["client_id"]),
            *("--resource", f"{dev.base_url}/mcp", "-p", str(port), "-o", str(directory)),
        )
        said = _answered([*suite.command(), *arguments], dev.owner_key)
    (directory / "output.txt").write_text(said, encoding="utf-8")
    return {name: _statuses(directory, name) for name in SCENARIOS}


def _answered(command: list[str], key: str) -> str:
    said = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        if process.stdout is None:
            raise SuiteFailed("the suite says nothing")
        for line in process.stdout:
            said.append(line)
            if _URL.match(line.strip()):
                page, _ = let_in(line.strip(), key)
                send("GET", page.url, {}, "")
    return "".join(said)


def _statuses(directory: Path, scenario: str) -> list[str]:
    return [
        check["status"]
        for file in directory.glob(f"*{scenario}-*/checks.json")
        for check in json.loads(file.read_text(encoding="utf-8"))
        if check["id"] != NO_WAY_OUT
    ]
