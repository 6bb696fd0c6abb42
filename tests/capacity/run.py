"""Plays tasks, and prints what each call and each kind of item cost; fails above what was promised."""

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from forge.cli.emulator import running_emulator
from forge.store.provision import provision
from forge.testing.clock import FakeIds
from forge.testing.world import World
from tests.capacity.meter import Charge, Meter
from tests.capacity.task import play
from tests.workshop.events import relay
from tests.workshop.office import Office

TASKS = 5
WRITE_USD, READ_USD = 0.625e-6, 0.125e-6
"""Of a unit, on demand, in most regions."""
RELAY = "relay and words"

Costs = dict[str, list[Charge]]


class LongIds(FakeIds):
    """As long as real ones: ULIDs, and the request ids of API Gateway."""

    def __call__(self, prefix: str) -> str:
        return super().__call__(prefix) if prefix != "req" else super().__call__(prefix)[-16:]


def played() -> Costs:
    """What everything cost, by the call that it was for."""
    with tempfile.TemporaryDirectory() as folder, running_emulator(Path(folder)) as emulator:
        meter = Meter(emulator.connections())
        store = provision(meter.connections, "capacity")
        office = Office(World(store=store, ids=LongIds(26)))
        agent_key = office.an_agents_key()
        relay(store, office.workspace.id)
        meter.taken()
        costs: Costs = defaultdict(list)
        for number in range(TASKS):
            for tool in play(office, agent_key, number):
                costs[tool] += meter.taken()
            relay(store, office.workspace.id)
            costs[RELAY] += meter.taken()
        return costs


def main() -> int:
    costs = played()
    everything = [charge for charges in costs.values() for charge in charges]
    by_kind: Costs = defaultdict(list)
    for charge in everything:
        by_kind[charge.kind].append(charge)
    print(f"{'a task':44}{'written':>9}{'read':>9}")
    for name, charges in costs.items():
        print(_line(name, charges))
    print(_line("all of it", everything))
    print(f"\n{'by what is written':44}{'units':>9}{'bytes':>9}")
    for kind, charges in sorted(by_kind.items(), key=lambda one: -_written(one[1])):
        if units := _written(charges):
            sizes = [charge.size for charge in charges if charge.written]
            print(f"{kind:44}{units:9.1f}{sum(sizes) / len(sizes):9.0f}")
    return _verdict(everything, by_kind["LOG"])


def _verdict(everything: list[Charge], log: list[Charge]) -> int:
    written, read = _written(everything), sum(charge.read for charge in everything) / TASKS
    usd = (written * WRITE_USD + read * READ_USD) * 1_000
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


def _line(name: str, charges: list[Charge]) -> str:
    return f"{name:44}{_written(charges):9.1f}{sum(charge.read for charge in charges) / TASKS:9.1f}"


if __name__ == "__main__":
    sys.exit(main())
