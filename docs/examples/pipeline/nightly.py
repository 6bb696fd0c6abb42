"""Takes one request to its end without anybody at a terminal: people answer in the console.

FORGE_URL=… FORGE_KEY=… AGENT=claude python3 nightly.py "Update the dependencies --effort=S"
"""

import os
import subprocess
import sys
from pathlib import Path

from forge.cli.calls import Connection
from forge.cli.driving import agents
from forge.cli.driving.agents import Work
from forge.cli.driving.orchestrator import Body, Host, begin, drive
from forge.cli.driving.terminal import caller


def spawn(prompt: str, path: str) -> Work:
    """Your agent: it writes the file at `path`, or answers with its text."""
    work = agents.run(agents.command_of(os.environ["AGENT"]), prompt)
    return work._replace(text=Path(path).read_text()) if Path(path).exists() else work


def run(command: list[str]) -> str:
    """What went wrong, or nothing."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.strip() or "failed" if done.returncode else ""


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def ask(question: Body) -> tuple[str, str]:
    """Nobody is here: what began is decided in the console, and the loop waits for it."""
    return ("", "") if "action_id" in question else (question["options"][0], "")


def fetch(needed: Body) -> Body:
    raise SystemExit(f"Give a text instead of a URL: {needed['instruction']}")


if __name__ == "__main__":
    call = caller(Connection(os.environ["FORGE_URL"], os.environ["FORGE_KEY"]))
    host = Host(spawn, run, write, ask, fetch)
    print(drive(call, host, begin(call, host, " ".join(sys.argv[1:])))["summary"])
