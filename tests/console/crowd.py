"""Opens the console where a thousand issues and two hundred agents are: nothing may stutter or lie.

python -m tests.console.crowd --into .tools/console
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.console.run import drive, find_browser
from tests.integration.cli.dev_process import Dev, running_dev

BEFORE = "0be717b6"
"""The last commit whose console drew its pages with what it brought along."""
ISSUES = 1000
AGENTS = 200
_ASSIGNED = 240
_CALLS_AT_ONCE = 4
_RATE = 6000
_SCOPES = ["READ_ISSUES", "WRITE_ISSUES", "WRITE_COMMENTS", "READ_USERS", "READ_PROJECTS", "READ_ANALYTICS"]
_COLUMNS = {"BACKLOG": 300, "TODO": 400, "IN_PROGRESS": 200, "IN_REVIEW": 100}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True, help="where playwright-core is installed")
    given = parser.parse_args()
    browser = find_browser()
    if browser is None:
        return 1
    with TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        facts = {**crowd(dev), "browser": browser, "baseUrl": dev.base_url}
        into = given.into.resolve()
        return drive(into, json.dumps(facts), script="crowd.mjs") or beside(into, facts, Path(folder))


def beside(into: Path, facts: Mapping[str, Any], folder: Path) -> int:
    """How soon this console can be used, beside the first edition with as much in it."""
    packed = subprocess.run(
        ["git", "archive", BEFORE, "shared", "functions"], capture_output=True, check=False
    )
    if packed.returncode:
        print(f"The console of before can't be had: {packed.stderr.decode().strip()}")
        return 0
    old = folder / "old"
    old.mkdir()
    subprocess.run(["tar", "-x"], input=packed.stdout, cwd=old, check=True)
    with running_dev(folder / "before", {"PYTHONPATH": f"{old / 'shared'}:{old}"}) as dev:
        consoles = {
            "before": {"baseUrl": dev.base_url, "key": crowd(dev)["keys"]["owners"][0]},
            "now": {"baseUrl": facts["baseUrl"], "key": facts["keys"]["owners"][0]},
        }
        return drive(into, json.dumps({**facts, "consoles": consoles}), script="beside.mjs")


def crowd(dev: Dev) -> Mapping[str, Any]:
    """As many as a large team has, of which a quarter is worked on."""
    builder = _key(dev, "builder")

    def call(tool: str, surface: str = "mcp", **arguments: Any) -> Any:
        answer = dev.call(tool, arguments, key=builder, surface=surface)
        assert answer.status_code == 200, f"{tool}: {answer.text}"
        return answer.json()

    statuses = {one["category"]: one["id"] for one in call("statuses.list")["data"]}
    wanted = [statuses[category] for category, number in _COLUMNS.items() for _ in range(number)]

    def issue(number: int) -> str:
        title = f"Issue {number} with a title of a usual length"
        made = call("issues.create", title=title, statusId=wanted[number], priority="MEDIUM")
        return str(made["identifier"])

    def agent(number: int) -> str:
        made = call(
            "agents.create", "admin", profileKey=f"agent-{number}", name=f"Agent {number}", maxConcurrent=5
        )
        return str(made["profileKey"])

    with ThreadPoolExecutor(_CALLS_AT_ONCE) as pool:
        issues = list(pool.map(issue, range(ISSUES)))
        agents = list(pool.map(agent, range(AGENTS)))
        held = list(zip(issues[-_ASSIGNED:], (agents * 2)[:_ASSIGNED], strict=True))
        list(pool.map(lambda pair: call("issues.assign", issueId=pair[0], profileKey=pair[1]), held))
    return {
        "keys": {"owners": [_key(dev, f"operator {number}") for number in range(3)]},
        "issues": ISSUES,
        "agents": AGENTS,
        "assigned": _ASSIGNED,
    }


def _key(dev: Dev, name: str) -> str:
    given = {"name": name, "scopes": [*_SCOPES, "ADMIN"], "ratePerMinute": _RATE}
    answer = dev.call("keys.create", given, key=dev.owner_key, surface="admin")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["rawKey"])


if __name__ == "__main__":
    sys.exit(main())
