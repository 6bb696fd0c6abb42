"""How long each tier took, shown when the tests have ended."""

from dataclasses import dataclass, field

import pytest

_HEADING = f"{'tier':<13}{'tests':>7}{'sum of tests':>15}{'first to last':>16}"


@dataclass(slots=True)
class Tier:
    tests: set[str] = field(default_factory=set)
    summed: float = 0.0
    first: float = float("inf")
    last: float = 0.0

    def add(self, report: pytest.TestReport) -> None:
        self.tests.add(report.nodeid)
        self.summed += report.duration
        self.first = min(self.first, report.start)
        self.last = max(self.last, report.stop)

    def line(self, name: str) -> str:
        wall = self.last - self.first
        return f"{name:<13}{len(self.tests):>7}{self.summed:>13.1f} s{wall:>14.1f} s"


class Tiers:
    """Hears of every test, in whichever process it ran."""

    def __init__(self) -> None:
        self.by_name: dict[str, Tier] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        folders = report.nodeid.split("::")[0].split("/")
        if folders[0] == "tests" and len(folders) > 2:
            self.by_name.setdefault(folders[1], Tier()).add(report)

    def lines(self) -> list[str]:
        if not self.by_name:
            return []
        return [_HEADING, *(tier.line(name) for name, tier in sorted(self.by_name.items()))]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if lines := self.lines():
            terminalreporter.section("time of each tier")
            for line in lines:
                terminalreporter.write_line(line)
