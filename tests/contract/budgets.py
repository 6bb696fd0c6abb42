"""What each tool may ask of DynamoDB, as the decision on keys and indexes says."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from forge.contract.terms import Surface
from forge.contract.tools import AnyTool

DECISION = Path(__file__).parents[2] / "docs" / "decisions" / "0002-keys-and-indexes.md"

_HEADING = "| tool | access pattern | key or index | reads | writes | items |"
_ROW = re.compile(r"\| (?P<name>[\w:.]+) \|.*\| (?P<reads>\d+) \| (?P<writes>\d+) \| (?P<items>\d+) \|")


class Budget(NamedTuple):
    reads: int
    writes: int
    items: int

    def beside(self, other: "Budget") -> "Budget":
        """Both calls together; transactions are not joined."""
        return Budget(self.reads + other.reads, self.writes + other.writes, max(self.items, other.items))


def row_name(tool: AnyTool) -> str:
    return f"admin:{tool.name}" if tool.surface is Surface.ADMIN else tool.name


def rows() -> list[tuple[str, Budget]]:
    """The rows of the table in their order."""
    _, _, table = DECISION.read_text(encoding="utf-8").partition(_HEADING)
    lines = table.partition("\n\n")[0].splitlines()[2:]
    found = [_ROW.fullmatch(line) for line in lines]
    assert all(found), f"not a row: {[line for line, row in zip(lines, found, strict=True) if not row]}"
    return [
        (row["name"], Budget(int(row["reads"]), int(row["writes"]), int(row["items"])))
        for row in found
        if row is not None
    ]


@cache
def budgets() -> Mapping[str, Budget]:
    return dict(rows())
