"""`make invoke` against a running `forge dev`: without Docker, and what SAM would do with it."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forge.cli import function_variables
from infra.generate import this_machine
from infra.invoking.asked import ROOT
from infra.invoking.containers import TEMPLATE, write_template
from infra.stack.functions import function_id
from tests.integration.cli.dev_process import Dev, running_dev

_NEEDED = {"AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "FORGE_TABLE", "FORGE_BUCKET", "FORGE_TOKEN_SECRET"}
_RESOLVER = Path(__file__).with_name("resolved.py")


@dataclass(frozen=True, slots=True)
class Tools:
    sam: Path
    python: Path

    def invoke(self, dev: Dev, *words: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [
            *(sys.executable, "-m", "infra.invoking.run"),
            *words,
            *("--home", dev.home),
            *("--sam", self.sam, "--python", self.python),
        ]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    def resolved(self, dev: Dev, folder: str) -> Any:
        """What SAM's own code makes of the template and the file."""
        command: Sequence[str | Path] = [
            *(self.sam.with_name("python"), _RESOLVER, TEMPLATE),
            *(function_variables.file_in(dev.home), function_id(folder)),
        ]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "FORGE_"))}
        return json.loads(subprocess.run(command, env=kept, capture_output=True, check=True).stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sam", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True)
    given = parser.parse_args()
    tools = Tools(given.sam.absolute(), given.python.absolute())
    checks: list[Callable[[Tools, Dev], None]] = [
        answers_and_logs_are_apart,
        the_key_is_whose_was_named,
        a_refusal_is_a_failure,
        a_worker_takes_its_event,
        sam_hands_over_what_dev_wrote,
    ]
    with tempfile.TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        for check in checks:
            check(tools, dev)
            print(f"ok     {check.__name__.replace('_', ' ')}")
    print(f"{len(checks)} ways of make invoke")
    return 0


def answers_and_logs_are_apart(tools: Tools, dev: Dev) -> None:
    done = tools.invoke(dev, "--function", "issues", "--event", "docs/examples/events/issues.json")

    answer = json.loads(done.stdout)
    assert (done.returncode, answer["statusCode"]) == (0, 200), done
    assert "data" in json.loads(answer["body"])
    assert '"operation":"issues.list"' in done.stderr


def the_key_is_whose_was_named(tools: Tools, dev: Dev) -> None:
    done = tools.invoke(dev, "--function", "router", "--as", "worker")

    body = json.loads(json.loads(done.stdout)["body"])
    assert done.returncode == 0, done
    assert body["result"]["structuredContent"]["id"] == dev.description["workspace"]["id"]


def a_refusal_is_a_failure(tools: Tools, dev: Dev) -> None:
    done = tools.invoke(dev, "--function", "admin", "--as", "worker")

    assert (done.returncode, json.loads(done.stdout)["statusCode"]) == (1, 403), done


def a_worker_takes_its_event(tools: Tools, dev: Dev) -> None:
    done = tools.invoke(dev, "--function", "relay")

    assert (done.returncode, json.loads(done.stdout)) == (0, {"batchItemFailures": []}), done


def sam_hands_over_what_dev_wrote(tools: Tools, dev: Dev) -> None:
    write_template()
    written = json.loads(function_variables.file_in(dev.home).read_text())["Parameters"]
    for folder in ("issues", "router", "waits"):
        found = tools.resolved(dev, folder)
        declared = {name: value for name, value in found["variables"].items() if name in written}
        assert declared.items() <= written.items(), (folder, declared)
        here = this_machine()
        assert (found["runtime"], found["architecture"]) == (here.runtime, here.architecture)
        assert declared.keys() >= _NEEDED, (folder, _NEEDED - declared.keys())
    assert found["variables"]["FORGE_MACHINE_PLAN_APPROVAL"] == ""


if __name__ == "__main__":
    sys.exit(main())
