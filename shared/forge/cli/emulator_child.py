"""The emulator's own process: ministack, and a snapshot of its state every few seconds.

On its own ministack saves only when it is stopped; a snapshot bounds what a crash can take with it. Requests
wait while the state is copied, because a copy of what is being changed is none; not while it is written.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from time import time_ns
from typing import Any

from ministack import app
from ministack.core.persistence import STATE_DIR, save_state

from forge.cli.emulator_mark import MARK_VARIABLE, STATE_FILE
from forge.cli.emulator_requests import may_change

SNAPSHOT_SECONDS = 5
_POLL_SECONDS = 0.01
_POLLS = 30

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Snapshots:
    """Stands in front of ministack: knows what is under way, and can hold back what is not."""

    def __init__(self, inner: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._inner = inner
        self._under_way = 0
        self.has_changed = False
        self._saving = asyncio.Lock()
        self._open = asyncio.Event()
        self._open.set()
        self.stopping_at = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        await self._open.wait()
        self._under_way += 1
        try:
            await self._inner(scope, receive, send)
        finally:
            self._under_way -= 1
            self.has_changed |= may_change(scope.get("method", ""), scope["headers"])

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        snapshots = asyncio.create_task(self._forever())

        async def receive_after_the_last_snapshot() -> MutableMapping[str, Any]:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                snapshots.cancel()
                async with self._saving:
                    self.stopping_at = time_ns()
            return message

        await self._inner(scope, receive_after_the_last_snapshot, send)

    async def _forever(self) -> None:
        while True:
            await asyncio.sleep(SNAPSHOT_SECONDS)
            if self.has_changed:
                async with self._saving:
                    await asyncio.shield(asyncio.to_thread(_write, await self._copy()))

    async def _copy(self) -> dict[str, Any]:
        """The state while nothing is under way; nothing at all if that moment does not come soon.

        A function that runs in the emulator is a request that makes requests: the outer one ends only when
        the inner ones are let through.
        """
        self._open.clear()
        try:
            for _ in range(_POLLS):
                if not self._under_way:
                    break
                await asyncio.sleep(_POLL_SECONDS)
            else:
                return {}
            self.has_changed = False
            services = app._build_persistence_save_dict()  # noqa: SLF001 - the pinned release has no other door
            return {name: get_state() for name, get_state in services.items()}
        finally:
            self._open.set()


def _write(states: dict[str, Any]) -> None:
    """Each service's file is replaced as a whole."""
    for name, state in states.items():
        if state is not None:
            save_state(name, state)


def main() -> None:
    os.umask(0o077)
    mark, snapshots = Path(os.environ[MARK_VARIABLE]), Snapshots(app.app)
    mark.touch()
    logging.getLogger("persistence").setLevel(logging.CRITICAL)
    app.app = snapshots
    try:
        app.main()
    finally:
        saved = Path(STATE_DIR) / STATE_FILE
        # Whether ministack could save, it only logs; the file tells.
        if snapshots.stopping_at and saved.exists() and saved.stat().st_mtime_ns >= snapshots.stopping_at:
            mark.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
