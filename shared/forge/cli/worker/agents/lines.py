"""Agents that take a prompt on standard input and print lines: what they have in common."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from forge.cli.worker.agents.protocol import Event, Hear, Lived, Order, Outcome, Stop
from forge.cli.worker.processes.children import Child, Start
from forge.jsontext import BadJson, decode

COMPLAINTS = "stderr.log"


class Dialect(Protocol):
    """How one kind of agent is started for one order, and what its lines mean."""

    def command(self, order: Order) -> list[str]: ...

    def environment(self, order: Order) -> Mapping[str, str]: ...

    def read(self, line: str) -> Iterator[Event]: ...

    @property
    def is_over(self) -> bool:
        """Whether it has said how its turn ended."""
        ...

    def outcome(self, code: int, complaints: str) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class LineAgent:
    name: str
    program: str
    variables: frozenset[str]
    dialect: Callable[[], Dialect]
    session: Callable[[], str] = str
    credentials: Sequence[tuple[str, str]] = ()
    """Where its owner has signed in, below their home; and where it looks for that below the run's."""
    seconds_to_leave: float = 10.0
    """Once it has said how its turn ended; some hang then, and their result must not be lost by that."""

    def new_session(self) -> str:
        return self.session()

    def work(self, order: Order, hear: Hear, started: Callable[[Stop], None]) -> Outcome:
        dialect = self.dialect()
        signed_in = link_credentials(self.credentials, order.home)
        complaints = order.home / COMPLAINTS
        complaints.unlink(missing_ok=True)
        start = Start(
            order.wrap(dialect.command(order), signed_in),
            order.worktree,
            {**order.environment, **dialect.environment(order)},
            complaints,
        )
        child = Child(start, order.prompt)
        started(child.stop)
        try:
            _hear_all(child, dialect, hear, self.seconds_to_leave)
        except BaseException:
            # Nobody hears it any more: it must not go on by itself.
            child.stop_soon(0)
            raise
        return dialect.outcome(child.wait(), child.last_words())


def _hear_all(child: Child, dialect: Dialect, hear: Hear, seconds_to_leave: float) -> None:
    was_over = False
    for line in child.lines():
        for event in [*dialect.read(line)] or [Lived()]:
            hear(event)
        if dialect.is_over and not was_over:
            was_over = True
            child.stop_soon(seconds_to_leave)


def link_credentials(places: Sequence[tuple[str, str]], home: Path) -> list[Path]:
    """What its owner has signed in with is used where it is, because it is renewed there."""
    known = [(Path.home() / source, home / target) for source, target in places]
    there = [(source, target) for source, target in known if source.exists()]
    for source, wanted in there:
        if not wanted.is_symlink():
            wanted.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            wanted.symlink_to(source)
    return [source for source, _ in there]


def object_in(line: str) -> dict[str, Any] | None:
    """A line that is one JSON object; anything else is text."""
    if not line.startswith("{"):
        return None
    try:
        found = decode(line)
    except BadJson:
        return None
    return found if isinstance(found, dict) else None
