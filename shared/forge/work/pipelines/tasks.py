"""Tasks: in what order they can be done, and what is wrong with a list of them."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from forge.store.items import Part

MAX_TASKS = 100
MAX_CHARACTERS = 100_000
"""Of titles and names of files together: they are kept with the state."""


class Mode(StrEnum):
    SEQUENTIAL = "sequential"
    PARALLEL = "parallel"
    HUMAN_GATE = "human_gate"


class Reviewed(StrEnum):
    NO = "pending"
    PASSED = "completed_pass"
    PASSED_WITH_NOTES = "completed_pass_with_notes"
    FAILED = "completed_fail"


class Task(Part):
    title: str = ""
    mode: Mode = Mode.SEQUENTIAL
    depends_on: list[int] = []
    files: list[str] = []
    is_done: bool = False
    is_passed_over: bool = False
    """A person said to go on without it."""
    review: Reviewed = Reviewed.NO
    impl_retries: int = 0
    review_retries: int = 0

    @property
    def has_passed(self) -> bool:
        return self.review in (Reviewed.PASSED, Reviewed.PASSED_WITH_NOTES)

    def changed(self, **fields: object) -> "Task":
        return self.model_copy(update=fields)


Tasks = Mapping[str, Task]


class Flaws(NamedTuple):
    """What has to be put right before work begins, and what only has to be known."""

    faults: list[str]
    remarks: list[str]


def order(number: str) -> tuple[int, str]:
    return int(number), number


def numbers_where(tasks: Tasks, holds: Callable[[Task], bool]) -> list[str]:
    """In the order of their numbers, in whatever order they were stored."""
    return sorted((number for number, task in tasks.items() if holds(task)), key=order)


def candidates(tasks: Tasks) -> list[str]:
    """What can be begun now. Of tasks that all wait for one another, the first: none is ever forgotten."""
    done = {int(number) for number, task in tasks.items() if task.is_done}
    known = {int(number) for number in tasks}
    still_open = numbers_where(tasks, lambda task: not task.is_done)

    def is_ready(number: str) -> bool:
        return all(one in done for one in tasks[number].depends_on if one in known and one != int(number))

    return [number for number in still_open if is_ready(number)] or still_open[:1]


def flaws(tasks: Tasks) -> Flaws:
    """What contradicts itself in tasks that could be read."""
    if excess := excess_of(tasks):
        return Flaws([excess], [])
    known = {int(number) for number in tasks}
    faults = [f"Tasks wait for one another: {chain}." for chain in _cycles(tasks)]
    faults += [f"Parallel tasks {pair} change {file}." for pair, file in _collisions(tasks)]
    remarks = [
        f"Task {number} depends on {', '.join(map(str, missing))}, which is no task and counts as done."
        for number, task in tasks.items()
        if (missing := [one for one in task.depends_on if one not in known])
    ]
    return Flaws(faults, remarks)


def excess_of(tasks: Tasks) -> str | None:
    if len(tasks) > MAX_TASKS:
        return f"There are {len(tasks)} tasks, and {MAX_TASKS} is the most."
    characters = sum(len(text) for task in tasks.values() for text in (task.title, *task.files))
    numbers = sum(len(task.depends_on) for task in tasks.values())
    if characters + 10 * numbers > MAX_CHARACTERS:
        return f"Titles, files and dependencies take more than {MAX_CHARACTERS:,} characters."
    return None


def _cycles(tasks: Tasks) -> list[str]:
    """Each once, as `1 → 2 → 1`."""
    waits = {int(number): task.depends_on for number, task in tasks.items()}
    found: dict[frozenset[int], str] = {}
    settled: set[int] = set()
    for start in waits:
        path, stack = [start], [iter(waits[start])]
        while stack:
            following = next(stack[-1], None)
            if following is None:
                settled.add(path.pop())
                stack.pop()
            elif following in path:
                circle = path[path.index(following) :]
                found.setdefault(frozenset(circle), " → ".join(map(str, [*circle, following])))
            elif following in waits and following not in settled:
                path.append(following)
                stack.append(iter(waits[following]))
    return list(found.values())


def _collisions(tasks: Tasks) -> list[tuple[str, str]]:
    """Files that two tasks would change at the same time."""
    parallel = [(number, task) for number, task in tasks.items() if task.mode is Mode.PARALLEL]
    found = []
    for place, (number, task) in enumerate(parallel):
        for other, rival in parallel[place + 1 :]:
            if int(number) in rival.depends_on or int(other) in task.depends_on:
                continue
            found += [(f"{number} and {other}", file) for file in sorted({*task.files} & {*rival.files})]
    return found
