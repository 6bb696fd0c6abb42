"""What was played, as a task that the model of scale can be asked about."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from forge.store.counters import SHARDS
from forge.store.keys import DUE_PARTITIONS
from forge.testing.charges import Charge
from forge.testing.simulation.partitions import Order
from infra.scale.recorded import Place, Task, Tool
from tests.capacity.recording import DISPATCH, RELAY, TASKS, WORDS, WORKERS, Played

_AN_ID = re.compile(r"[a-z]+_\d{26}")
_AT_A_TIME = re.compile(r"(\d#)?\d{4}-\d\d-\d\dT")
_WORD, _COUNT = "TERM", "COUNT"
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Use:
    """So many units of one item, or of a range of them."""

    index: str
    partition: str
    sort: str
    written: float = 0.0
    read: float = 0.0


def task_of(played: Played) -> Task:
    tools = {name: _tool(played, name) for name in played.charges if name not in WORKERS}
    return Task(
        tools=tools,
        relay=_tool(played, RELAY),
        words=_tool(played, WORDS),
        dispatch=_tool(played, DISPATCH),
        places=places_of(played.by_task),
        marks=played.marks / TASKS,
        messages={queue: sent / TASKS for queue, sent in sorted(played.messages.items())},
    )


def places_of(by_task: Iterable[Iterable[Charge]]) -> list[Place]:
    """The partitions that every task uses, but those of one issue, run or agent."""
    tasks: dict[tuple[str, str], set[int]] = defaultdict(set)
    uses: dict[tuple[str, str], list[Use]] = defaultdict(list)
    for number, charges in enumerate(by_task):
        for use in (use for charge in charges for use in _uses(charge)):
            tasks[_name_of(use)].add(number)
            uses[_name_of(use)].append(use)
    shared = [one for one, seen in tasks.items() if len(seen) == TASKS and not _AN_ID.search(one[1])]
    found = _hottest_words([_place(*one, uses[one]) for one in shared])
    return sorted(found, key=lambda one: (-one.written, -one.read, str(one)))


def _tool(played: Played, name: str) -> Tool:
    charges = played.charges[name]
    return Tool(
        calls=played.calls[name] // TASKS,
        written=_of_a_task(charge.all_written for charge in charges),
        read=_of_a_task(charge.read for charge in charges),
        requests={one: times / TASKS for one, times in sorted(played.requests[name].items())},
    )


def _uses(charge: Charge) -> Iterator[Use]:
    if charge.written:
        yield Use("", charge.partition, charge.sort, written=charge.written)
    if charge.read:
        yield Use(charge.read_index, charge.partition, charge.sort, read=charge.read)
    for (index, partition, sort), units in charge.in_indexes.items():
        yield Use(index, partition, sort, written=units)


def _name_of(use: Use) -> tuple[str, str]:
    """Of which index, and what the partition is called within its workspace."""
    if use.partition in DUE_PARTITIONS:
        return use.index, use.partition.partition("#")[0]
    words = use.partition.split("#")
    return use.index, "#".join(words[2:] if words[0] == "WS" else words)


def _place(index: str, name: str, uses: list[Use]) -> Place:
    return Place(
        name=name,
        index=index,
        keys=len({use.partition for use in uses}),
        order=_order(use.sort for use in uses),
        written=_of_a_task(use.written for use in uses),
        read=_of_a_task(use.read for use in uses),
        hottest_written=_hottest(name, ((use.sort, use.written) for use in uses)),
        hottest_read=_hottest(name, ((use.sort, use.read) for use in uses)),
    )


def _order(sorts: Iterable[str]) -> Order:
    found = set(sorts)
    if len(found) == 1:
        return Order.ITEM
    return Order.GROWS if all(_AT_A_TIME.match(one) for one in found if one) else Order.SPREADS


def _hottest(name: str, uses: Iterable[tuple[str, float]]) -> float:
    """Of a count, chance decides which of its items is added to: they share what is added."""
    is_count = name.startswith(_COUNT)
    by_item: dict[str, float] = defaultdict(float)
    for sort, units in uses:
        by_item[sort.rpartition("#")[0] if is_count else sort] += units
    return _of_a_task([max(by_item.values()) / (SHARDS if is_count else 1)])


def _hottest_words(places: list[Place]) -> list[Place]:
    """Every word that an issue says has a partition: the one that is asked for most stands for all."""
    words = [one for one in places if one.name.startswith(_WORD)]
    others = [one for one in places if one not in words]
    return [*others, *sorted(words, key=lambda one: (-one.written, -one.read, one.name))[:1]]


def _of_a_task(units: Iterable[float]) -> float:
    return round(sum(units) / TASKS, _DIGITS)
