"""Update expressions: DynamoDB wants every name and value behind a placeholder."""

from collections.abc import Iterable, Mapping
from typing import Any

from forge.store.codec import Attribute, encode_value
from forge.store.physical import PARTITION, SORT


class Expression:
    """Collects the parts of an update, each name and value under a placeholder of its own."""

    def __init__(self) -> None:
        self._clauses: list[str] = []
        self._names: dict[str, str] = {}
        self._values: dict[str, Any] = {}

    def name(self, name: str) -> str:
        placeholder = f"#n{len(self._names)}"
        self._names[placeholder] = name
        return placeholder

    def value(self, value: object) -> str:
        return self.stored(encode_value(value))

    def stored(self, attribute: Attribute) -> str:
        """The same of a value as it is stored."""
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = attribute
        return placeholder

    def clause(self, verb: str, changes: Mapping[str, object], joiner: str) -> None:
        self._add(verb, [f"{self.name(name)}{joiner}{self.value(value)}" for name, value in changes.items()])

    def assign(self, changes: Mapping[str, object]) -> None:
        """Set attributes; None removes one."""
        self.clause("SET", {name: value for name, value in changes.items() if value is not None}, " = ")
        self._add("REMOVE", [self.name(name) for name, value in changes.items() if value is None])

    def restate(self, attributes: Mapping[str, Attribute], *, every: Iterable[str]) -> None:
        """Set the attributes of a whole item, and remove those of its fields that it has no value for."""
        written = {name: one for name, one in attributes.items() if name not in (PARTITION, SORT)}
        parts = [f"{self.name(name)} = {self.stored(attribute)}" for name, attribute in written.items()]
        self._add("SET", parts)
        self._add("REMOVE", [self.name(name) for name in every if name not in written])

    def _add(self, verb: str, parts: list[str]) -> None:
        if parts:
            self._clauses.append(f"{verb} {', '.join(parts)}")

    def request(self) -> dict[str, Any]:
        return {"UpdateExpression": " ".join(self._clauses), **self.placeholders()}

    def placeholders(self) -> dict[str, Any]:
        """What a condition needs besides its text."""
        names = {"ExpressionAttributeNames": self._names} if self._names else {}
        return names | ({"ExpressionAttributeValues": self._values} if self._values else {})
