"""What DynamoDB refuses and the emulator's engine takes: in tests it is refused, too.

Amazon's own engine says the same (`make second-opinion`).
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from forge.store.physical import INDEX_BY_NAME, INDEXES, PARTITION, SORT

Request = Mapping[str, Any]

_KEPT = 4_096
_MOST_OPERATORS, _MOST_OPERANDS = 300, 100
_EXPRESSIONS = tuple(f"{kind}Expression" for kind in ("Condition", "Filter", "KeyCondition", "Update"))
_MOST_BYTES = {index.partition: 2_048 for index in INDEXES} | {index.sort: 1_024 for index in INDEXES}
_CLAUSES = re.compile(r"\b(SET|REMOVE|ADD|DELETE)\b")
_BETWEEN_ACTIONS = re.compile(r",(?![^(]*\))")
_OPERATORS = re.compile(r"[<>=]+|[+-]|\b(?:AND|OR|NOT|IN|BETWEEN)\b|\w+\(")
_OPERANDS = re.compile(r"\bIN\s*\(([^)]*)\)")
_PATHS = re.compile(r"(?<![:\w#])#?[A-Za-z_]\w*")


def refusal(operation: str, request: Request) -> str | None:
    """Why DynamoDB would not do it, or None."""
    complaints = (
        complaint
        for one in _requests(operation, request)
        for complaint in (*_of_keys(one), *_of_paths(one), *_of_sizes(one))
    )
    return next(complaints, None)


def _requests(operation: str, request: Request) -> Iterator[Request]:
    if operation == "TransactWriteItems":
        for write in request["TransactItems"]:
            yield from write.values()
    elif operation == "BatchWriteItem":
        for writes in request["RequestItems"].values():
            yield from (one for write in writes for one in write.values())
    else:
        yield request


def _of_keys(request: Request) -> Iterator[str]:
    """Keys of indexes that are too long."""
    for name, value in [*request.get("Item", {}).items(), *_assigned(request)]:
        if name in _MOST_BYTES and len(value.get("S", "").encode()) > _MOST_BYTES[name]:
            yield f"The key {name} has more than {_MOST_BYTES[name]} bytes"


def _of_paths(request: Request) -> Iterator[str]:
    names = request.get("ExpressionAttributeNames", {})
    paths = [names.get(path, path) for path, _ in actions(request.get("UpdateExpression", ""))]
    if len(paths) > len(set(paths)):
        yield "Two document paths overlap with each other"
    # A scan has no key condition, and may filter by what it likes.
    filtered = request.get("FilterExpression", "") if "KeyConditionExpression" in request else ""
    if {names.get(path, path) for path in _PATHS.findall(filtered)} & _keys_of(request.get("IndexName")):
        yield "Filter Expression can only contain non-primary key attributes"


def _of_sizes(request: Request) -> Iterator[str]:
    for expression in (request[part] for part in _EXPRESSIONS if part in request):
        yield from too_large(expression)


@lru_cache(maxsize=_KEPT)
def too_large(expression: str) -> tuple[str, ...]:
    operands = max((len(one.split(",")) for one in _OPERANDS.findall(expression)), default=0)
    counted = [
        (len(_OPERATORS.findall(expression)), _MOST_OPERATORS, "operators"),
        (operands, _MOST_OPERANDS, "operands of IN"),
    ]
    return tuple(f"{number} {what}, {most} at most" for number, most, what in counted if number > most)


def _keys_of(index_name: str | None) -> set[str]:
    index = INDEX_BY_NAME[index_name] if index_name else None
    return {index.partition, index.sort} if index else {PARTITION, SORT}


def _assigned(request: Request) -> Iterator[tuple[str, Request]]:
    names, values = (request.get(f"ExpressionAttribute{part}", {}) for part in ("Names", "Values"))
    for path, value in actions(request.get("UpdateExpression", "")):
        if value in values:
            yield names.get(path, path), values[value]


@lru_cache(maxsize=_KEPT)
def actions(expression: str) -> tuple[tuple[str, str], ...]:
    """What an update does: each path as it is written, and what it becomes, if that is said plainly."""
    clauses = _CLAUSES.split(expression)[2::2]
    written = [action.strip() for clause in clauses for action in _BETWEEN_ACTIONS.split(clause)]
    parts = [re.split(r"\s*=\s*|\s+", action, maxsplit=1) for action in written if action]
    return tuple((part[0], part[1] if len(part) > 1 else "") for part in parts)
