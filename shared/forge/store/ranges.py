"""Which part of a partition a query reads."""

from typing import NamedTuple

from forge.store.codec import Attribute

HIGHEST = "\U0010ffff"
"""The last of all characters: no key holds it, so a prefix and this come after every key with the prefix."""


class SortRange(NamedTuple):
    """Which sort keys of a partition: by prefix, by bounds (both are included), or by both."""

    prefix: str = ""
    first: str = ""
    last: str = ""

    def includes(self, sort: str) -> bool:
        return sort.startswith(self.prefix) and sort >= self.first and (not self.last or sort <= self.last)

    def condition(self) -> tuple[str, dict[str, Attribute]]:
        """At most one condition, because DynamoDB takes no more; bounds must not lie outside the prefix."""
        if self.prefix and not self.first and not self.last:
            return " AND begins_with(#sort, :prefix)", {":prefix": {"S": self.prefix}}
        first = self.first or self.prefix
        last = self.last or (self.prefix and self.prefix + HIGHEST)
        if first and last:
            bounds: dict[str, Attribute] = {":first": {"S": first}, ":last": {"S": last}}
            return " AND #sort BETWEEN :first AND :last", bounds
        if first:
            return " AND #sort >= :first", {":first": {"S": first}}
        if last:
            return " AND #sort <= :last", {":last": {"S": last}}
        return "", {}


EVERYTHING = SortRange()
