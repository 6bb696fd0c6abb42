"""The map of the table: every place that is declared, what is stored there, and which tools write it."""

from collections.abc import Iterator, Mapping, Sequence

from forge.cli.backups.places import Place, called, kinds, place_of, places
from forge.store.items import Item
from forge.store.keys import DUE_PARTITIONS, workspace_prefix
from forge.store.physical import INDEXES
from forge.store.places import DueAt, In
from forge.store.readings import Attributes

_IN_A_WORKSPACE = workspace_prefix("{workspace_id}")
_MANY = 24


def name_of(stored: Attributes) -> str:
    """What an item is as it is stored."""
    place = place_of(stored)
    if place is None:
        raise LookupError(f"nothing is declared at {stored}")
    return place.name


def table_page(written: Mapping[str, Sequence[str]]) -> str:
    """`written` are the names of what each tool writes."""
    writers: dict[str, list[str]] = {}
    for tool, names in sorted(written.items()):
        for name in names:
            writers.setdefault(name, []).append(tool)
    lines = [_line(row, writers.get(row.name, ())) for row in places()]
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


def _line(row: Place, tools: Sequence[str]) -> str:
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
