"""What stands in an export: a first line about it, a line for each item, and a last one with their number."""

from collections.abc import Callable
from typing import Any

from forge import __version__
from forge.jsontext import encode
from forge.store.codec import decode_value
from forge.store.keys import sortable_time, workspace_prefix
from forge.store.readings import Attributes, key_of
from forge.work.overviews.exports.leaving_out import BOOKKEEPING, is_left_out, is_secret
from forge.work.overviews.exports.orders import ExportItem
from forge.work.workspace.workspaces import WorkspaceItem

FORMAT = 1
"""Raised when a reader of the lines before would misread those after."""

_KEPT_TEXT = frozenset({"text", "blob"})
_VERSIONS_OF_FILES = "PIPE#", "FILE#"
"""Where the artifacts of pipelines are: their texts are always in the bucket."""

ReadText = Callable[[str], str | None]
"""A text of the bucket by the name of its object; None where there is none any more."""


def first_line(order: ExportItem, workspace: WorkspaceItem) -> str:
    about = {
        "format": FORMAT,
        "forge": __version__,
        "exportId": order.id,
        "orderedAt": sortable_time(order.created_at),
        "workspace": {
            "id": workspace.id,
            "slug": workspace.slug,
            "key": workspace.key_prefix,
            "name": workspace.name,
        },
    }
    return encode({"export": about})


def last_line(items: int) -> str:
    """Without it, the file was cut."""
    return encode({"end": {"items": items}})


def line_of(row: Attributes, workspace_id: str, read_text: ReadText) -> str | None:
    """An item as plain JSON under its key without the workspace; None for what is left out."""
    partition, sort = key_of(row)
    partition = partition.removeprefix(workspace_prefix(workspace_id))
    if is_left_out(partition, sort):
        return None
    item = {
        name: _exported(decode_value(value), read_text)
        for name, value in sorted(row.items())
        if name not in BOOKKEEPING and not is_secret(name)
    }
    if partition.startswith(_VERSIONS_OF_FILES[0]) and sort.startswith(_VERSIONS_OF_FILES[1]):
        item["text"] = read_text(item["blob"])
    return encode({"key": [partition, sort], "item": item})


def _exported(value: Any, read_text: ReadText) -> Any:
    """A kept text as the text itself, wherever it is kept; anything else as it is."""
    if not isinstance(value, dict) or value.keys() != _KEPT_TEXT:
        return _plain(value)
    text = read_text(value["blob"]) if value["blob"] else value["text"]
    # What is lost is not made up: the name of the object stays.
    return value if text is None else text


def _plain(value: Any) -> Any:
    """Sets as lists."""
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value
