"""The backend of a deployment, with the real client, while the clock and the ids are those of a recording."""

from datetime import datetime

from forge.testing.clock import NOON
from forge.wire import backend
from forge.wire.edge import Backend


class Replay:
    """Gives what the recorder's clock and ids gave, so that requests and answers repeat."""

    def __init__(self) -> None:
        self._moment = NOON
        self._last_id = 0

    def rewind(self, moment: datetime, last_id: int) -> None:
        self._moment, self._last_id = moment, last_id

    def now(self) -> datetime:
        return self._moment

    def new_id(self, prefix: str) -> str:
        self._last_id += 1
        return f"{prefix}_{self._last_id:06}"


replay = Replay()


def open_backend() -> Backend:
    """What `FORGE_BACKEND` names."""
    opened = backend.open_backend()
    return opened._replace(services=opened.services._replace(now=replay.now, new_id=replay.new_id))
