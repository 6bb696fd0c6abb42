"""The orchestrator of the guide as the program that its reader starts."""

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
import os, re, signal, sys
from pathlib import Path
prompt = sys.stdin.read()
path = Path(re.search(r"## Output File\\n\\n- (\\S+)", prompt)[1])
if path.name == "design.md" and not Path("died").exists():
    Path("died").touch()
    os.kill(os.getppid(), signal.SIGKILL)
text = "## Verdict: APPROVE\\n" if path.name.startswith("review-") else "## Text\\n"
path.write_text(text) if path.name == "analysis.md" else print(text)
"""


def test_the_program_of_the_guide_is_killed_and_goes_on_over_http(store: Store, tmp_path: Path) -> None:
    office = Office(World(store=store))
    (tmp_path / "agent.py").write_text(AGENT)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    with serve(office.world.edge) as url:
        environment = {
            "PATH": os.environ["PATH"],
            "FORGE_URL": url,
            "FORGE_KEY": office.owner_key,
            "AGENT": f"{sys.executable} agent.py",
        }

        def start(typed: str, says: str) -> "subprocess.CompletedProcess[str]":
            return subprocess.run(
                [sys.executable, "-u", str(EXAMPLE / "terminal.py"), typed],
                cwd=tmp_path,
                env=environment,
                input=says,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )

        first = start("Add a login page --nopr", "S\n\n")
        found = re.search(r"(\.specs/\S+): to go on", first.stdout)
        assert found, first.stderr
        second = start(found[1], "proceed\n\n")

    assert first.returncode == -signal.SIGKILL
    assert (second.returncode, second.stderr) == (0, "")
    assert "Pipeline completed: 8 phases, 8 skipped" in second.stdout.splitlines()[-1]
    assert (tmp_path / found[1] / "design.md").read_text() == "## Text\n\n"
