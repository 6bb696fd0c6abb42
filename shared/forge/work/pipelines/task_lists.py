"""Lists of tasks as people and models write them, and what of one could not be understood.

Whatever looks like a task or a field of one is either read or named: nobody works on a task whose gate,
files or dependencies were lost on the way.
"""

import re
import unicodedata
from typing import NamedTuple

from forge.work.pipelines import markdown
from forge.work.pipelines.markdown import MAX_CHARACTERS, Line
from forge.work.pipelines.task_values import GATE, files_of, is_path, mode_of, numbers_of
from forge.work.pipelines.tasks import Mode, Task, order

MOST_FAULTS = 20
_LONGEST_VALUE = 4_000

_TASK = re.compile(
    r"(?:task|タスク)\s*(?:no\.?\s*)?#?\s*(\d{1,6})(?:\s*[.:：)\-–—]+|\s|$)[*_\s]*(.*)", re.IGNORECASE
)
_TASK_LEVELS = (2, 3, 4)
_NAMES = r"(?:execution[ _-])?(mode|files?|depends?[ _-]?on|dependenc(?:y|ies))"
_NAME = re.compile(_NAMES, re.IGNORECASE)
_FIELD = re.compile(rf"[*_`\"'\s]*{_NAMES}[*_`\"'\s]*[:：=](?:[*_`]+(?=\s|$))?\s*(.*)", re.IGNORECASE)
_MARKED_GATE = re.compile(rf"[\[(（【][^\])）】]*{GATE.pattern}[^\])）】]*[\])）】]", re.IGNORECASE)


class TaskList(NamedTuple):
    """By number as written, in the order of their numbers, with what has to be put right."""

    tasks: dict[str, Task]
    faults: list[str]


def read(text: str) -> TaskList:
    if len(text) > MAX_CHARACTERS:
        return TaskList({}, [f"The list has more than {MAX_CHARACTERS:,} characters."])
    reader = _Reader()
    for line in markdown.lines_of(text):
        reader.take(line)
    reader.close()
    found = {number: reader.found[number] for number in sorted(reader.found, key=order)}
    return TaskList(found, (reader.faults + _gaps(found))[:MOST_FAULTS])


class _Open(NamedTuple):
    """A field whose value stands in the lines below its name."""

    name: str
    line: Line
    is_nested: bool = False
    """Whether its items stand one list deeper than it does."""


class _Reader:
    """Takes one line after another, and knows which task and which field they belong to."""

    def __init__(self) -> None:
        self.found: dict[str, Task] = {}
        self.faults: list[str] = []
        self._number: str | None = None
        self._level = 0
        self._given: dict[str, str] = {}
        """Fields that the task has already, with their lines."""
        self._open: _Open | None = None
        self._reads_code = False

    def take(self, line: Line) -> None:
        if line.is_code and not self._is_field_in_code(line):
            self._suspect_code(line)
        elif line.level:
            self._take_heading(line)
        elif field := _FIELD.fullmatch(line.text):
            self._begin(_name_of(field[1]), field[2].strip(), line)
        elif line.is_bold and _NAME.fullmatch(line.plain):
            self._begin(_name_of(line.plain), "", line)
        elif line.is_bold and _TASK.fullmatch(line.plain):
            self._blame(
                "no heading, so it is not known where the task begins: write `## Task 1: title`", line
            )
        elif self._open:
            self._go_on(self._open, line)

    def close(self) -> None:
        """The task that was read last is whole."""
        self._close_field()
        if self._number is None:
            return
        task = self.found[self._number]
        if _MARKED_GATE.search(task.title[:_LONGEST_VALUE]) and task.mode is not Mode.HUMAN_GATE:
            self.faults.append(
                f"Task {self._number} is a human_gate by its title, and {task.mode} by its mode."
            )
        self._number, self._given = None, {}

    def _take_heading(self, line: Line) -> None:
        heading = _TASK.fullmatch(unicodedata.normalize("NFKC", line.plain))
        if heading and line.level in _TASK_LEVELS:
            number = heading[1] if heading[1].isascii() else str(int(heading[1]))
            self._begin_task(number, _title_of(line, heading), line)
        elif heading:
            self._blame("a task has a heading of level 2: write `## Task 1: title`", line)
        elif self._number is not None and _NAME.fullmatch(line.plain.rstrip(":：")):
            self._begin(_name_of(line.plain.rstrip(":：")), "", line)
        elif field := _FIELD.fullmatch(line.text):
            self._begin(_name_of(field[1]), field[2].strip(), line)
        elif line.level <= self._level:
            self.close()
        else:
            self._close_field()

    def _begin_task(self, number: str, title: str, line: Line) -> None:
        self.close()
        if number in self.found or int(number) in map(int, self.found):
            self._blame(f"there is a task {number} already", line)
        self.found[number] = Task(title=title)
        self._number, self._level = number, line.level

    def _begin(self, name: str, value: str, line: Line) -> None:
        self._close_field()
        if self._number is None:
            # An example, or a default for all, before the first task says nothing of any of them.
            if self.found or (name == "mode" and GATE.search(value)):
                self._blame("it belongs to no task", line)
            return
        if name in self._given:
            self._blame(f"task {self._number} has {self._given[name]!r} already", line)
            return
        self._given[name] = line.text.strip()
        if len(value) > _LONGEST_VALUE:
            self._blame(f"a line of a field has at most {_LONGEST_VALUE:,} characters", line)
        elif value.strip("*_`\"' "):
            self._set(name, value, line)
        else:
            self._open = _Open(name, line)

    def _go_on(self, field: _Open, line: Line) -> None:
        is_deeper = line.depth > field.line.depth
        is_beside = line.depth > 0 and line.depth == field.line.depth and not field.is_nested
        if field.name == "mode":
            self._open = None
            self._set("mode", line.text[:_LONGEST_VALUE], line)
        elif not line.is_first:
            if line.plain.endswith((":", "：")):
                self._open = None
        elif is_deeper or (is_beside and (field.name != "files" or is_path(line.text))):
            self._open = field._replace(is_nested=is_deeper)
            self._set(field.name, line.text[:_LONGEST_VALUE], line)
        else:
            self._close_field()

    def _close_field(self) -> None:
        field, self._open = self._open, None
        if field and field.name == "mode":
            self._blame("it says no mode: sequential, parallel or human_gate", field.line)

    def _set(self, name: str, value: str, line: Line) -> None:
        """What can't be read is a gate, so that it never is less than it may have been meant to be."""
        number = str(self._number)
        task = self.found[number]
        if name == "mode":
            mode = mode_of(value)
            if mode is None:
                self._blame("the mode is one of sequential, parallel and human_gate", line)
            task = task.changed(mode=mode or Mode.HUMAN_GATE)
        elif name == "files":
            task = task.changed(files=list(dict.fromkeys([*task.files, *files_of(value)])))
        else:
            numbers = numbers_of(value)
            if numbers is None:
                self._blame("a dependency is the number of a task, as in `depends_on: [1, 2]`", line)
            task = task.changed(depends_on=list(dict.fromkeys([*task.depends_on, *(numbers or [])])))
        self.found[number] = task

    def _is_field_in_code(self, line: Line) -> bool:
        """Fields may stand in a block of their own; a block that begins otherwise is an example."""
        if line.is_first:
            self._close_field()
            self._reads_code = self._number is not None and _FIELD.fullmatch(line.text) is not None
        return self._reads_code

    def _suspect_code(self, line: Line) -> None:
        field = _FIELD.fullmatch(line.text)
        is_gate = field is not None and _name_of(field[1]) == "mode" and GATE.search(field[2])
        is_task = re.match(r"#{2,4}\s", line.text) and _TASK.fullmatch(line.text.lstrip("# "))
        if (is_gate or is_task) and (self._number is not None or is_task):
            self._blame("it stands in a block of code, where nothing counts", line)

    def _blame(self, why: str, line: Line) -> None:
        quoted = line.text.strip()
        quoted = quoted if len(quoted) <= 120 else quoted[:119] + "…"
        self.faults.append(f"Not understood: `{quoted}`: {why}.")


def _name_of(written: str) -> str:
    word = written.strip("*_`\"' ").lower()
    return "mode" if word.endswith("mode") else "files" if word.startswith("file") else "depends_on"


def _title_of(line: Line, heading: re.Match[str]) -> str:
    """As it was written, where the heading has the form that it should have."""
    as_written = _TASK.fullmatch(line.plain)
    return (as_written or heading)[2].strip("*_ ")


def _gaps(found: dict[str, Task]) -> list[str]:
    """A number that is left out is most often a task whose heading nobody could read."""
    numbers = sorted(map(int, found))
    if not numbers:
        return []
    expected = range(min(numbers[0], 1), numbers[-1] + 1)
    missing = sorted({*expected} - {*numbers}) if len(expected) <= 10_000 else [numbers[0] + 1]
    if not missing:
        return []
    named = ", ".join(map(str, missing[:10]))
    return [
        f"There is no task {named}: tasks are numbered without gaps, each with a heading `## Task 1: title`."
    ]
