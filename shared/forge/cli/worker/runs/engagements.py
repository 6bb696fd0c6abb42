"""A run as this machine knows it: a folder with a journal and what Forge told of it."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from secrets import token_hex
from typing import Any

from forge.cli.local.homes import write_private
from forge.cli.worker.limits import Usage, Used
from forge.cli.worker.server.client import Body
from forge.cli.worker.server.journal import COPY, Journal

JOURNAL = "journal.jsonl"
BUNDLE = "bundle.json"
HOME = "home"
RUN = "run_"


class Ending(StrEnum):
    """What became of a run here."""

    COMPLETED = "completed"
    GIVEN_BACK = "given back"
    LOST = "lost"
    """Somebody else has the work, or nobody needs it."""


@dataclass(frozen=True, slots=True)
class Engagement:
    folder: Path
    run_id: str
    journal: Journal
    bundle: Body

    @property
    def home(self) -> Path:
        return self.folder / HOME

    @property
    def identifier(self) -> str:
        return str(self.bundle["issue"]["identifier"])

    @property
    def title(self) -> str:
        return str(self.bundle["issue"]["title"])

    @property
    def mode(self) -> str:
        return str(self.bundle["runProtocol"]["engagementMode"])

    @property
    def is_work(self) -> bool:
        """Whether it changes files: all else only looks."""
        return self.mode == "EXECUTE"

    @property
    def is_run(self) -> bool:
        """What has no issue has no run either: Forge keeps no log of it, and no figures."""
        return self.run_id.startswith(RUN)

    @property
    def duty(self) -> Body:
        """The call that settles it, where that is not its report."""
        found = self.journal.fact("duty")
        return found if isinstance(found, dict) else {}

    @property
    def ending(self) -> Ending | None:
        found = self.journal.fact("ending")
        return Ending(found) if found else None

    @property
    def parked(self) -> Body | None:
        """What it waits for, while it does."""
        found = self.journal.fact("parked")
        return dict(found) if found else None

    @property
    def extended(self) -> int:
        """How often a person let it go on beyond its limit."""
        return int(self.journal.fact("extended", 0))

    @property
    def used(self) -> Used:
        usage, turns, minutes = self.journal.fact("used", [Usage(), 0, 0.0])
        return Used(Usage(*usage), turns, minutes)


def begin(runs: Path, run_id: str, bundle: Body, *, duty: Body | None = None, called: str = "") -> Engagement:
    """What Forge told of it is on the disk before it counts as begun; `duty` is the call that settles it.

    Where its agent was `called` for it, at that time, other machines were, too: one has to be the first.
    """
    folder = runs / run_id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_private(folder / BUNDLE, json.dumps(bundle))
    used = _put_aside(folder / JOURNAL, run_id)
    journal = Journal(folder / JOURNAL, run_id)
    journal.note(begun=True, duty=duty, called=called, **{COPY: f"{run_id}:{token_hex(4)}"}, **used)
    return Engagement(folder, run_id, journal, bundle)


def _put_aside(path: Path, run_id: str) -> dict[str, Any]:
    """The journal of one that has ended here and comes back; what it has used counts on."""
    if not path.exists():
        return {}
    before = Journal(path, run_id)
    if before.fact("ending"):
        path.replace(path.with_name(f"{JOURNAL}.{token_hex(4)}"))
    used = before.fact("used")
    return {"used": used} if used else {}


def find(runs: Path, run_id: str) -> Engagement | None:
    """None of one that was never begun here, or only halfway, or is damaged: Forge gives it out again."""
    folder = runs / run_id
    try:
        bundle: dict[str, Any] = json.loads((folder / BUNDLE).read_text(encoding="utf-8"))
        journal = Journal(folder / JOURNAL, run_id)
    except (OSError, ValueError):
        return None
    return Engagement(folder, run_id, journal, bundle) if journal.fact("begun") else None


def all_in(runs: Path) -> Iterator[Engagement]:
    for folder in sorted(runs.iterdir()):
        if found := find(runs, folder.name):
            yield found
        else:
            shutil.rmtree(folder, ignore_errors=True)
