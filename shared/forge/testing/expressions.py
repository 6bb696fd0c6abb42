"""The engine reads an expression anew for every item that it looks at: here each is read once.

On a partition of five thousand rows that is the difference between a second and a few milliseconds.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ministack.services import dynamodb

Attributes = Mapping[str, Any]

_KEPT = 4_096
_READERS = ("_tokenize", "_condition_syntax_error", "_number_error", "_ddb_canonicalize_number")
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

_EXISTENCE = re.compile(r"attribute_(?P<not>not_)?exists\((?P<name>#?[A-Za-z]\w*)\)")
_COMPARISON = re.compile(r"(?P<name>#[A-Za-z]\w*) (?P<operator>=|<>|<|<=|>|>=) (?P<value>:[A-Za-z]\w*)")


class _Term(NamedTuple):
    name: str
    operator: str
    value: str

    def holds(self, item: Attributes, values: Attributes, names: Mapping[str, str]) -> bool:
        held = item.get(names.get(self.name, self.name))
        if not self.value:
            return (held is not None) == (self.operator == "exists")
        return bool(_compare(held, self.operator, values.get(self.value)))


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
    """The same as the engine's, sooner for the conditions that the store writes most."""
    if not expression:
        return True
    partition, _, sort = expression.partition(" AND ")
    if partition != _PARTITION or (sort and sort not in _RANGES) or _are_reversed(values):
        if terms := _terms(expression):
            return all(term.holds(item, values, names) for term in terms)
        return bool(_evaluate(expression, item, values, names, slot))
    if item.get(names["#partition"]) != values[":partition"]:
        return False
    return not sort or _RANGES[sort](item[names["#sort"]], values)


def _are_reversed(values: Attributes) -> bool:
    """Which the engine refuses."""
    return ":first" in values and ":last" in values and values[":first"]["S"] > values[":last"]["S"]


@lru_cache(maxsize=_KEPT)
def _terms(expression: str) -> tuple[_Term, ...]:
    """What must all hold, if that is said plainly; nothing where the engine has to read it."""
    terms = tuple(_term(part) for part in expression.split(" AND "))
    return tuple(term for term in terms if term) if all(terms) else ()


def _term(part: str) -> _Term | None:
    if found := _COMPARISON.fullmatch(part):
        return _Term(found["name"], found["operator"], found["value"])
    found = _EXISTENCE.fullmatch(part)
    if not found or found["name"].upper() in dynamodb.AWS_KEYWORDS:
        return None
    return _Term(found["name"], "missing" if found["not"] else "exists", "")
