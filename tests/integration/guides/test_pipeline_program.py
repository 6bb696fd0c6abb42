"""`forge pipeline run` as the program that it is, killed and started again, and the guide's own program."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from forge.store.store import Store
from forge.testing.server import serve
from forge.testing.world import World
from tests.integration.guides.hosts import EXAMPLE
from tests.workshop.office import Office

AGENT = """
import json, os, re, signal, sys
from pathlib import Path
prompt = sys.stdin.read()
path = Path(re.search(r"## Output File\\n\\n- (\\S+)", prompt)[1])
if path.name == "design.md" and not Path("died").exists():
    Path("died").touch()
    os.kill(os.getppid(), signal.SIGKILL)
text = "## Verdict: APPROVE\\n" if path.name.startswith("review-") else "## Text\\n"
if path.name == "analysis.md":
    path.write_text(text)
usage = {"input_tokens": 10, "cache_read_input_tokens": 15, "output_tokens": 5}
print(json.dumps({"type": "result", "result": text, "usage": usage, "total_cost_usd": 0.25}))
"""
_KEPT = ("PATH", "COVERAGE_")
"""The second is how `make coverage` reaches the programs that tests start."""
AGENT_COMMAND = f"{sys.executable} agent.py"


def started(
    folder: Path, url: str, key: str, *words: str, says: str = ""
) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}
    environment = kept | {"FORGE_URL": url, "FORGE_KEY": key, "AGENT": AGENT_COMMAND}
    return subprocess.run(
        words,
        cwd=folder,
        env=environment,
        input=says,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_pipeline_that_is_killed_goes_on_over_http(store: Store, tmp_path: Path) -> None:
    office = Office(World(store=store))
    (tmp_path / "agent.py").write_text(AGENT)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    forge = str(Path(sys.executable).with_name("forge"))
    with serve(office.world.edge) as url:

        def start(typed: str, says: str) -> "subprocess.CompletedProcess[str]":
            words = [forge, "pipeline", "run", typed, "--nopr", "--agent", AGENT_COMMAND]
            return started(tmp_path, url, office.owner_key, *words, says=says)

        first = start("Add a login page", "S\n\n")
        found = re.search(r"(\.specs/\S+): to go on", first.stdout)
        assert found, first.stderr
        second = start(found[1], "proceed\n\n")
        listed = started(tmp_path, url, office.owner_key, forge, "pipeline", "list", "--status", "completed")

    assert first.returncode == -signal.SIGKILL
    assert second.returncode == 0, second.stderr
    assert "Pipeline completed: 8 phases, 8 skipped" in second.stdout.splitlines()[-1]
    assert "summary.md: " in second.stdout
    assert (tmp_path / found[1] / "design.md").read_text() == "## Text\n"
    assert found[1] in listed.stdout
    stands = office.call("state_resume_info", {"workspace": found[1]})
    assert (stands["totalTokens"] % 30, stands["estimatedCostUsd"]) == (0, stands["totalTokens"] / 30 * 0.25)


def test_the_program_of_the_guide_waits_for_people_elsewhere(store: Store, tmp_path: Path) -> None:
    office = Office(World(store=store))
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "died").touch()
    with serve(office.world.edge) as url:
        typed = [sys.executable, str(EXAMPLE / "nightly.py"), "Add a login page --effort=S --nopr --auto"]
        done = started(tmp_path, url, office.owner_key, *typed)

    assert done.stdout.splitlines()[-1:] == ["Pipeline completed: 7 phases, 9 skipped"], done.stderr
