"""An upgrade of a stack with data in it, from the build before stacks had lanes and names of their own."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.deploy import ROOT, quietly, without_account
from infra.stack.functions import LAYER
from tests.e2e.requiring import Skipped, expect, require
from tests.e2e.teams import Team, a_team

BEFORE = "a6061d6a"
_BUILD = "import sys, pathlib; from infra.deploy import build; build(pathlib.Path(sys.argv[1]))"
_LONG = "What was written before the upgrade, and has to be there after it.\n" * 2_500


def what_was_written_before_an_upgrade_is_there_after_it(teams: list[Team]) -> None:
    bench = teams[0].bench
    with _earlier_build(bench.sam) as earlier:
        delta = a_team(bench, "delta", template=earlier)
        project = expect(delta.client.rest("projects.create", {"key": "OLD", "name": "Old"}), 200)
        order = {"title": "Ship it", "projectId": project["id"]}
        issue = expect(delta.client.rest("issues.create", order), 200)
        report = {"title": "Long", "body": _LONG, "artifactType": "REPORT"}
        artifact = expect(delta.client.rest("artifacts.create", report), 200)
        before = {name: delta.physical_id(name) for name in ("Table", "Bucket", "HttpApi", "TokenSecret")}
        upgraded = delta.updated()

    after = {name: upgraded.physical_id(name) for name in before}
    require(after == before, f"{before} became {after}")
    require(upgraded.stack.outputs["Url"] == delta.stack.outputs["Url"], "another address")
    found = expect(upgraded.client.rest("issues.get", {"id": issue["identifier"]}), 200)
    require(found["title"] == "Ship it", found)
    read = expect(upgraded.client.rest("artifacts.get", {"id": artifact["id"]}), 200)
    require(read["body"] and _LONG.startswith(read["body"][:1000]), "another text")
    comment = {"issueId": issue["id"], "body": "Still here."}
    called = expect(upgraded.client.modern("tools/call", name="comments_create", arguments=comment), 200)
    require(not called["result"]["isError"], called)
    _sweeps(upgraded)


def _sweeps(team: Team) -> None:
    function = team.physical_id("SweepFunction")
    answer: Any = team.connections.functions().invoke(FunctionName=function, Payload=b"{}")
    require("FunctionError" not in answer, answer)


@contextmanager
def _earlier_build(sam: Path) -> Iterator[Path]:
    """The template of that build, and its code: made in a checkout of its own, with what it locked itself."""
    known = subprocess.run(
        ["git", "cat-file", "-e", f"{BEFORE}^{{commit}}"], cwd=ROOT, capture_output=True, check=False
    )
    if known.returncode != 0:
        raise Skipped(f"the history here does not reach back to {BEFORE} (git fetch --unshallow)")
    folder = Path(tempfile.mkdtemp()) / "earlier"
    try:
        subprocess.run(
            ["git", "worktree", "add", "--quiet", "--detach", folder, BEFORE], cwd=ROOT, check=True
        )
        (folder / ".tools").symlink_to(ROOT / ".tools")
        environment = {**without_account(), "UV_PYTHON": sys.executable}
        quietly(["make", "-C", folder, "install"], environment=environment)
        built = subprocess.run(
            [folder / ".venv" / "bin" / "python", "-c", _BUILD, sam],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        require(built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:])
        artifacts = folder / ".aws-sam" / "build"
        # The emulator's interpreter has this checkout on its path, and would find this build's tools there.
        shutil.copytree(folder / "functions", artifacts / LAYER / "python" / "functions")
        yield artifacts / "template.yaml"
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", folder], cwd=ROOT, check=False)
        shutil.rmtree(folder.parent, ignore_errors=True)


CHECKS = (what_was_written_before_an_upgrade_is_there_after_it,)
