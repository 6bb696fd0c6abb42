"""Findings: what a check says, how bad it is, and what to do next."""

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from forge.store.answers import Refused

_PERFORM = re.compile(r"not authorized to perform:? ([A-Za-z0-9]+:[A-Za-z0-9*]+)")
_DENIED = frozenset(
    {"AccessDenied", "AccessDeniedException", "AuthorizationError", "UnauthorizedOperation", "403"}
)
_NO_SUCH_OPERATION = frozenset({"UnknownOperationException", "InvalidAction", "NotImplemented", "501"})
"""Of emulators, which have less than AWS."""


class Level(IntEnum):
    """The worst counts."""

    OK = 0
    SKIP = 1
    WARN = 2
    FAIL = 3

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def symbol(self) -> str:
        return "✓–!✗"[self]


class Finding(NamedTuple):
    check: str
    level: Level
    message: str
    next: str = ""
    """What to do; nothing where there is nothing to do."""

    def as_object(self) -> dict[str, str]:
        shown = {"check": self.check, "level": self.level.word, "message": self.message}
        return shown | ({"next": self.next} if self.next else {})


def worst_of(findings: Iterable[Finding]) -> Level:
    return max((finding.level for finding in findings), default=Level.OK)


def of_refusal(check: str, refusal: Refused) -> Finding:
    """What AWS said in the place of facts: a right that is missing is no failure of the deployment."""
    found = _PERFORM.search(refusal.message)
    if found or refusal.code in _DENIED:
        right = found[1] if found else "a right that AWS does not name"
        return Finding(
            check,
            Level.WARN,
            f"Not looked at: {right} is missing.",
            "Give it to whoever runs the doctor, or have somebody look who has it.",
        )
    if refusal.code in _NO_SUCH_OPERATION:
        return Finding(check, Level.SKIP, "Not looked at: this AWS is an emulator without it.")
    return Finding(
        check,
        Level.FAIL,
        f"AWS refused to tell: {refusal}",
        "Look whether stack, table and region are the right ones, and whether your credentials are current.",
    )


def listed(names: Iterable[str], *, most: int = 5) -> str:
    """The first of them, and how many more."""
    all_names = list(names)
    rest = len(all_names) - most
    return ", ".join(all_names[:most]) + (f" and {rest} more" if rest > 0 else "")
