"""The map of the table: every place that is declared, what is stored there, and which tools write it."""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import forge.store
import forge.work
import functions
from forge.store.items import Item
from forge.store.keys import DUE_PARTITIONS, At, workspace_prefix
from forge.store.physical import INDEXES, PARTITION, SORT
from forge.store.places import DueAt, In

_NAMED = re.compile(r"{\w+(?::\w+)?}")
_IN_A_WORKSPACE = workspace_prefix("{workspace_id}")
_MANY = 24


@dataclass(frozen=True, slots=True)
class Row:
    """A place in the table, and the kind of item that is there; None where only numbers are added up."""

    at: At
    name: str
    kind: type[Item] | None = None


@cache
def kinds() -> tuple[type[Item], ...]:
    """Every kind of item that is stored."""
    _import_all()
    return tuple(sorted(_placed(Item), key=lambda kind: (kind.__name__, kind.__module__)))


def called(kind: type[Item]) -> str:
    """By its name, and where another has the same by its module's, too."""
    is_alone = sum(one.__name__ == kind.__name__ for one in kinds()) == 1
    return kind.__name__ if is_alone else f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"


@cache
def rows() -> tuple[Row, ...]:
    """All of the table, in the order of its partitions."""
    found = {at: Row(at, called(kind), kind) for kind in kinds() for at in (kind.stored, *kind.instead)}
    for module in _import_all():
        for name, one in vars(module).items():
            if isinstance(one, At) and one not in found:
                found[one] = Row(one, name)
    return tuple(sorted(found.values(), key=lambda row: (row.at.partition.template, row.at.sort)))


def name_of(stored: Mapping[str, Any]) -> str:
    """What an item is as it is stored: of whatever fits its key, that whose templates say most of it.

    Where several have the same templates, as all that is found by its id alone, its attributes tell.
    """
    place = f"{stored[PARTITION]['S']} {stored[SORT]['S']}"
    fitting = [row for row in rows() if _pattern(row.at).fullmatch(place)]
    own = [row for row in fitting if row.kind and row.kind.is_in(stored)]
    return max(own or fitting, key=lambda row: len(_NAMED.sub("", _whole(row.at)))).name


def table_page(written: Mapping[str, Sequence[str]]) -> str:
    """`written` are the names of what each tool writes."""
    writers: dict[str, list[str]] = {}
    for tool, names in sorted(written.items()):
        for name in names:
            writers.setdefault(name, []).append(tool)
    lines = [_line(row, writers.get(row.name, ())) for row in rows()]
    return (
        "# The table\n\n"
        f"Every partition begins with `{_IN_A_WORKSPACE}`, which is left out here; those without say why. "
        "Names in braces are fields or properties of the item. *Written by* is what the recorded calls "
        "of the tools wrote; the rest is the workers'.\n\n"
        "| partition | sort | what is there | indexes | kept | written by |\n|---|---|---|---|---|---|\n"
        + "\n".join(lines)
        + "\n\n## Indexes\n\nSparse: an item is in one while nothing is None that its place there names.\n\n"
        "| index | for | partition | sort | items |\n|---|---|---|---|---|\n" + "\n".join(_indexed()) + "\n"
    )


def _line(row: Row, tools: Sequence[str]) -> str:
    partition, kind = row.at.partition, row.kind
    where = _code(partition.template) + (f" ({partition.outside})" if partition.outside else "")
    what = f"`{row.name}`" + (f" while `{row.at.when}`" if row.at.when else _about(kind))
    indexes = ", ".join(dict.fromkeys(one.index for one in kind.indexed)) if kind else ""
    told = ", ".join(f"`{one}`" for one in tools) if len(tools) <= _MANY else f"{len(tools)} tools"
    return f"| {where} | `{row.at.sort}` | {what} | {indexes} | {_kept(kind)} | {told} |"


def _about(kind: type[Item] | None) -> str:
    first = (kind.__doc__ or "").partition("\n")[0] if kind else ""
    return f": {first}" if first else ""


def _kept(kind: type[Item] | None) -> str:
    if kind is None or kind.kept is None:
        return ""
    period, since = kind.kept.period, f"`{kind.kept.since}`"
    if not period:
        return f"until {since}"
    span = f"{period.days} days" if period.days else f"{period.seconds // 3600} hours"
    return f"{span} after {since}"


def _indexed() -> Iterator[str]:
    for index in INDEXES:
        places: dict[tuple[str, str], list[str]] = {}
        for kind in kinds():
            for one in kind.indexed:
                if one.index == index.name:
                    places.setdefault(_place(one), []).append(f"`{called(kind)}`")
        for (partition, sort), items in sorted(places.items()):
            yield f"| {index.name} | {index.purpose} | {partition} | `{sort}` | {', '.join(items)} |"


def _place(one: In | DueAt) -> tuple[str, str]:
    if isinstance(one, In):
        return _code(one.partition.template), one.at.sort
    return f"`{DUE_PARTITIONS[0]}` to `{DUE_PARTITIONS[-1]}`, by the item's key", f"{{{one.moment}}}"


def _code(template: str) -> str:
    return f"`{template.removeprefix(_IN_A_WORKSPACE)}`"


@cache
def _pattern(at: At) -> re.Pattern[str]:
    return re.compile(".+".join(map(re.escape, _NAMED.split(_whole(at)))))


def _whole(at: At) -> str:
    return f"{at.partition.template} {at.sort}"


def _placed(kind: type[Item]) -> Iterator[type[Item]]:
    for one in kind.__subclasses__():
        if hasattr(one, "stored") and one.__module__.startswith(("forge.", "functions.")):
            yield one
        yield from _placed(one)


@cache
def _import_all() -> tuple[object, ...]:
    """Every module in which something may be declared; entry points open a backend when they are imported."""
    return tuple(
        importlib.import_module(found.name)
        for package in (forge.store, forge.work, functions)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not found.name.endswith(".app")
    )
