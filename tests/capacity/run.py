"""Plays tasks, counts what they and every tool cost, and says where one workspace stops.

It writes down what the tasks cost, from which `make generate` makes the page about scale; fails above what
was promised.
"""

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from forge.cli.emulator import running_emulator
from forge.testing.charges import Charge
from infra.costs import READ, WRITE
from infra.registry import find_namespaces
from infra.scale.page import report
from infra.scale.recorded import RECORDED, written_down
from infra.stack.functions import Target
from infra.template import template
from tests.capacity.meter import kind_of
from tests.capacity.recording import DISPATCH, TASKS, Played, played
from tests.capacity.shares import task_of
from tests.capacity.tools import ToolCost, every_tool


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, running_emulator(Path(folder)) as emulator:
        found = played(emulator.connections())
        tools = [*every_tool(emulator.connections())]
    task = task_of(found)
    RECORDED.write_text(written_down(task), encoding="utf-8")
    _print_tools(tools)
    by_kind = _print_task(found)
    print(report(task, template(find_namespaces(), Target())["Resources"]))
    return _verdict(found, by_kind["LOG"])


def _print_tools(tools: list[ToolCost]) -> None:
    print(f"{'a call':44}{'written':>9}{'read':>9}")
    for one in tools:
        print(f"{one.tool:44}{one.written:9.1f}{one.read:9.1f}")


def _print_task(found: Played) -> dict[str, list[Charge]]:
    """What was charged by the kind of item."""
    everything = [charge for charges in found.charges.values() for charge in charges]
    by_kind: dict[str, list[Charge]] = defaultdict(list)
    for charge in everything:
        by_kind[kind_of(charge)].append(charge)
    print(f"\n{'a task':44}{'written':>9}{'read':>9}")
    for name, charges in found.charges.items():
        print(_line(name, charges))
    print(_line("all of it", everything))
    print(f"\n{'by what is written':44}{'units':>9}{'bytes':>9}")
    for kind, charges in sorted(by_kind.items(), key=lambda one: -_written(one[1])):
        if units := _written(charges):
            sizes = [charge.size for charge in charges if charge.written]
            print(f"{kind:44}{units:9.1f}{sum(sizes) / len(sizes):9.0f}")
    return by_kind


def _verdict(found: Played, log: list[Charge]) -> int:
    """What is sent to receivers depends on how many there are: it is no part of the promise."""
    promised = [one for name, charges in found.charges.items() if name != DISPATCH for one in charges]
    written, read = _written(promised), _read(promised)
    usd = (written * WRITE + read * READ) * 1_000
    sizes = sorted(charge.size for charge in log if charge.written)
    figures = [
        ("write units of a task", written, 260),
        ("read units of a task", read, 80),
        ("USD for 1,000 tasks, DynamoDB alone", usd, 0.22),
        ("bytes of a log row, the 90th of 100", sizes[len(sizes) * 9 // 10], 1_000),
    ]
    print()
    for what, figure, most in figures:
        print(f"{what:44}{figure:9.2f} of {most}{'' if figure <= most else '  TOO MUCH'}")
    return 0 if all(figure <= most for _, figure, most in figures) else 1


def _written(charges: Iterable[Charge]) -> float:
    return sum(charge.all_written for charge in charges) / TASKS


def _read(charges: Iterable[Charge]) -> float:
    return sum(charge.read for charge in charges) / TASKS


def _line(name: str, charges: list[Charge]) -> str:
    return f"{name:44}{_written(charges):9.1f}{_read(charges):9.1f}"


if __name__ == "__main__":
    sys.exit(main())
