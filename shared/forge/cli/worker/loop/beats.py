"""Telling Forge that this machine lives, in a loop of its own: no work may keep it waiting."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from forge import __version__
from forge.cli.calls import say
from forge.cli.worker.agents.choosing import PROVIDERS
from forge.cli.worker.server.client import Body, Refused, Server, Stopping, Unreachable

SECONDS = 15.0
_PATIENCE = 10.0


@dataclass
class Beats:
    """`state` tells slots and runs; `hear` gets each answer."""

    server: Server
    agent_name: str
    machine: str
    state: Callable[[], dict[str, Any]] = dict
    hear: Callable[[Body], object] = bool
    seconds: float = SECONDS
    tell: Callable[[str], object] = say
    """Where nobody looks at the status: once when Forge hears no more, and once when it does."""
    runtime_id: str = ""
    problem: str = ""
    """Why the last beat was not heard, if it was not."""
    _over: Event = field(default_factory=Event)
    _soon: Event = field(default_factory=Event)

    def of(self, state: Callable[[], dict[str, Any]], hear: Callable[[Body], object]) -> None:
        self.state, self.hear = state, hear

    def connect(self) -> None:
        """Make this machine's runtime, or find it again."""
        name = f"{self.machine} ({self.agent_name})"
        provider = PROVIDERS.get(self.agent_name, "CUSTOM")
        arguments = {
            "instanceId": self.server.where.session,
            "name": name,
            "kind": "LOCAL_DAEMON",
            "providersAvailable": [provider],
            "config": {"toolCapabilities": [self.agent_name]},
        }
        self.runtime_id = str(self.server.call("agents.connect", arguments)["id"])

    def beat(self) -> None:
        try:
            if not self.runtime_id:
                self.connect()
            arguments = {
                **self.state(),
                "runtimeId": self.runtime_id,
                "versions": {"forge": __version__, "agent": self.agent_name},
            }
            answer = self.server.call("agents.heartbeat", arguments, patience=_PATIENCE)
        except Unreachable as problem:
            self.problem = str(problem)
        except Refused as refused:
            self.problem = str(refused)
            if refused.code == "not_found":
                # Somebody has removed it: it is made again.
                self.runtime_id = ""
        except Stopping:
            return
        else:
            self.problem = ""
            self.hear(answer)

    def start(self) -> None:
        Thread(target=self._keep_beating, daemon=True).start()

    def stop(self) -> None:
        self._over.set()
        self._soon.set()

    def soon(self) -> None:
        """Not only when it is time again."""
        self._soon.set()

    def _keep_beating(self) -> None:
        while True:
            self._soon.wait(self.seconds)
            self._soon.clear()
            if self._over.is_set():
                return
            before = self.problem
            try:
                self.beat()
            except Exception as mistake:  # noqa: BLE001 - without the next beat another worker takes all the work
                self.problem = f"{type(mistake).__name__}: {mistake}"
            if bool(before) != bool(self.problem):
                self.tell(self.problem or "Forge hears of this worker again.")
