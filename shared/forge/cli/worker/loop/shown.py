"""What a worker shows of itself: a table on a terminal, lines anywhere else."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from forge.cli.calls import printable
from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.runs.engagements import Engagement

_LONGEST_STEP, _LONGEST_TITLE = 22, 46
"""So that a terminal of 80 columns has room for both."""


def status_of(worker: Worker, beats: Beats, *, url: str, process: int) -> dict[str, Any]:
    """For other processes; `forge worker status` shows it."""
    rows = []
    for slot in worker.slots:
        step, used = slot.reins.progress()
        rows.append(
            {
                **_named(slot.run),
                "branch": slot.run.journal.fact("branch"),
                "step": step,
                "minutes": round(used.minutes, 1),
                "turns": used.turns,
                "costUsd": used.usage.cost_usd,
            }
        )
    return {
        "process": process,
        "agent": beats.agent_name,
        "url": url,
        "slots": worker.slots.total,
        "draining": worker.is_draining,
        "problem": worker.problem or beats.problem,
        "runs": rows,
        "waiting": [_named(one) for one in worker.parked()],
    }


def _named(run: Engagement) -> dict[str, str]:
    return {"issue": run.identifier, "title": run.title, "run": run.run_id}


def table_of(status: Mapping[str, Any]) -> Table:
    """A line for each slot, and for each run that waits beside them."""
    table = Table(box=None, pad_edge=False)
    for name in ("issue", "minutes", "turns", "USD", "at"):
        table.add_column(name, no_wrap=True)
    table.add_column("title")
    for row in status.get("runs") or ():
        cost = row.get("costUsd")
        counted = (f"{row.get('minutes') or 0:.0f}", str(row.get("turns") or ""))
        _add(table, row, *counted, "" if cost is None else f"{cost:.2f}", str(row.get("step") or ""))
    for row in status.get("waiting") or ():
        _add(table, row, "", "", "", "waits for an answer")
    for _ in range(int(status.get("slots") or 0) - len(status.get("runs") or ())):
        table.add_row("free")
    return table


def _add(table: Table, row: Mapping[str, Any], *middle: str) -> None:
    *counted, step = middle
    at, title = _shortened(step, _LONGEST_STEP), _shortened(str(row.get("title", "")), _LONGEST_TITLE)
    table.add_row(str(row["issue"]), *counted, at, title)


def _shortened(text: str, longest: int) -> Text:
    shown = printable(text)
    return Text(shown if len(shown) <= longest else f"{shown[: longest - 1]}…")
