"""The table's stream as the channel shows it: what is looked for, without what nobody asked about."""

from collections.abc import Callable
from typing import Any

from ministack.services import dynamodb

_emit: Any = dynamodb._emit_stream_event


def keep_only(is_followed: Callable[[str], bool]) -> None:
    """For the whole process: nothing comes into streams but items of partitions that somebody follows.

    A call writes a dozen items, and the stream would hold each of them twice, for a day.
    """

    def emit(table_name: str, event: str, old: Any, new: Any, replicate: bool = True) -> None:
        table = dynamodb._tables.get(table_name)
        if table and new and is_followed(str(new[table["pk_name"]].get("S", ""))):
            _emit(table_name, event, old, new, replicate)

    dynamodb._emit_stream_event = emit


def new_images(table: str, position: int | None) -> dict[str, Any]:
    """What was written since this position, and where to go on; nothing but where that is without one."""
    records = dynamodb._stream_records.get(table) or []
    first = int(dynamodb._stream_trimmed.get(table, 0))
    end = first + len(records)
    if position is None:
        return {"position": end, "images": []}
    images = [record["dynamodb"].get("NewImage") for record in records[max(position - first, 0) :]]
    return {"position": end, "images": [image for image in images if image]}


def forget(table: str, position: int | None) -> None:
    """What is before this position: whoever goes on from there has it, and nobody else follows."""
    records = dynamodb._stream_records.get(table) or []
    first = int(dynamodb._stream_trimmed.get(table, 0))
    if position is not None and first < position <= first + len(records):
        del records[: position - first]
        dynamodb._stream_trimmed[table] = position
