"""The engine reads an expression anew for every item that it looks at: here each is read once.

On a partition of five thousand rows that is the difference between a second and a few milliseconds.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ministack.services import dynamodb

Attributes = Mapping[str, Any]

_KEPT = 4_096
_READERS = ("_tokenize", "_condition_syntax_error")
"""Each depends on its arguments alone, and nobody changes what it returns."""

_compare: Any = dynamodb._compare_ddb  # noqa: SLF001 - the engine offers no other way
_evaluate: Any = dynamodb._evaluate_condition  # noqa: SLF001 - as above

_PARTITION = "#partition = :partition"
_RANGES: dict[str, Callable[[Attributes, Attributes], bool]] = {
    "begins_with(#sort, :prefix)": lambda sort, given: sort["S"].startswith(given[":prefix"]["S"]),
    "#sort >= :first": lambda sort, given: _compare(sort, ">=", given[":first"]),
    "#sort <= :last": lambda sort, given: _compare(sort, "<=", given[":last"]),
    "#sort BETWEEN :first AND :last": lambda sort, given: (
        _compare(given[":first"], "<=", sort) and _compare(sort, "<=", given[":last"])
    ),
}
"""What `SortRange` asks of sort keys, which are texts."""


def read_each_once() -> None:
    """Doing it again does no harm."""
    for name in _READERS:
        reader = getattr(dynamodb, name)
        if not hasattr(reader, "cache_info"):
            setattr(dynamodb, name, lru_cache(maxsize=_KEPT)(reader))
    dynamodb._evaluate_condition = holds  # noqa: SLF001 - as above


def holds(
    expression: str,
    item: Attributes,
    values: Attributes,
    names: Mapping[str, str],
    slot: str = "ConditionExpression",
) -> bool:
    """The same as the engine's, sooner for the key conditions that the store writes."""
    partition, _, sort = expression.partition(" AND ") if expression else ("", "", "")
    if partition != _PARTITION or (sort and sort not in _RANGES) or _are_reversed(values):
        return bool(_evaluate(expression, item, values, names, slot))
    if item.get(names["#partition"]) != values[":partition"]:
        return False
    return not sort or _RANGES[sort](item[names["#sort"]], values)


def _are_reversed(values: Attributes) -> bool:
    """Which the engine refuses."""
    return ":first" in values and ":last" in values and values[":first"]["S"] > values[":last"]["S"]
