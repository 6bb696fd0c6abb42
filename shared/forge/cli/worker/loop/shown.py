"""What a worker shows of itself: a table on a terminal, lines anywhere else."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from forge.cli.calls import printable
from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.working import Worker

_LONGEST = 60


def status_of(worker: Worker, beats: Beats, *, url: str, process: int) -> dict[str, Any]:
    """For other processes; `forge worker status` shows it."""
    rows = []
    for slot in worker.slots:
        used, journal = slot.run.used, slot.run.journal
        rows.append(
            {
                "issue": slot.run.identifier,
                "title": slot.run.title,
                "run": slot.run.run_id,
                "branch": journal.fact("branch"),
                "turns": used.turns,
                "costUsd": used.usage.cost_usd,
            }
        )
    waiting = [{"issue": one.identifier, "title": one.title, "run": one.run_id} for one in worker.parked()]
    return {
        "process": process,
        "agent": beats.agent_name,
        "url": url,
        "slots": worker.slots.total,
        "draining": worker.is_draining,
        "problem": worker.problem or beats.problem,
        "runs": rows,
        "waiting": waiting,
    }


def table_of(status: Mapping[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("issue", "run", "branch", "turns", "USD", "title"):
        table.add_column(name, overflow="fold")
    for row in status.get("runs") or ():
        cost = row.get("costUsd")
        shown = "" if cost is None else f"{cost:.2f}"
        _add(table, row, str(row.get("branch") or ""), str(row.get("turns") or ""), shown)
    for row in status.get("waiting") or ():
        _add(table, row, "waits for an answer", "", "")
    free = int(status.get("slots") or 0) - len(status.get("runs") or ())
    for _ in range(free):
        table.add_row("free")
    return table


def _add(table: Table, row: Mapping[str, Any], *middle: str) -> None:
    title = printable(str(row.get("title", "")))[:_LONGEST]
    table.add_row(str(row["issue"]), str(row["run"]), *middle, Text(title))
