"""The process of the embedded AWS. It lives as long as its standard input, which is its parent's."""

import asyncio
import gc
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path as File
from threading import Thread
from typing import Any

import uvicorn

from forge.cli.local import folding, journal
from forge.cli.local.admission import Admission, Keys
from forge.cli.local.answering import Answering
from forge.cli.local.frames import Damaged
from forge.cli.local.undoing import Undo
from forge.clock import system_now

JOURNAL_FOLDER = "journal"

Tell = Callable[..., None]


def main() -> None:
    os.umask(0o077)
    orders = json.loads(sys.stdin.buffer.readline())
    Thread(target=_end_with_parent, daemon=True).start()
    notices = os.fdopen(orders["notices"], "w", encoding="utf-8", buffering=1)

    def tell(**notice: Any) -> None:
        notices.write(json.dumps(notice) + "\n")

    try:
        server, listener = _server(orders, tell)
    except (Damaged, OSError) as problem:
        tell(failed=str(problem))
        sys.exit(1)
    _spare_the_garbage_collector()
    tell(ready=True)
    server.run(sockets=[listener])


def _end_with_parent() -> None:
    while sys.stdin.buffer.read(1):
        continue
    # Everything that was answered is on the disk, and nobody is left to answer to.
    os._exit(0)


def _server(orders: dict[str, Any], tell: Tell) -> tuple[uvicorn.Server, socket.socket]:
    folder, port = File(orders["folder"]), int(orders["port"])
    undo = Undo(folder)
    undo.put_back()
    _configure(folder, port)
    # The engine reads its settings, and its objects, while it is loaded.
    from forge.cli.local.commits import Commits
    from forge.cli.local.engine import Engine

    written = _load(folder)
    admission = Admission(Keys(orders["accessKey"], orders["secretKey"]), port)
    engine = Engine(admission, Commits(written.append, lambda problem: tell(refusing=problem)), undo)
    config = uvicorn.Config(
        engine,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_keep_alive=75,
        ws="none",
    )
    channel = socket.socket(fileno=orders["channel"])
    server = _Server(config, channel, lambda: Answering(orders["secretKey"], engine.ask))
    return server, socket.socket(fileno=orders["listener"])


class _Server(uvicorn.Server):
    """Answers on the channel, too."""

    def __init__(self, config: uvicorn.Config, channel: socket.socket, make: Callable[[], Answering]) -> None:
        super().__init__(config)
        self._channel = channel
        self._make = make

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        if self._channel.family == socket.AF_INET:
            await loop.create_server(self._make, sock=self._channel)
        else:
            await loop.create_unix_server(self._make, sock=self._channel)


def _spare_the_garbage_collector() -> None:
    """Looking through all items for cycles stops every request for a second; they have none."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000_000)


def _configure(folder: File, port: int) -> None:
    os.environ |= {
        "GATEWAY_PORT": str(port),
        "LOG_LEVEL": "WARNING",
        "PERSIST_STATE": "1",
        "S3_DATA_DIR": str(folder / "s3"),
        "S3_PERSIST": "1",
        "STATE_DIR": str(folder / "state"),
    }


def _load(folder: File) -> journal.Journal:
    from forge.cli.local import former, objects, queues, tables
    from forge.cli.local.engine import enter_account

    enter_account()
    kept_in = folder / JOURNAL_FOLDER
    kept_in.mkdir(exist_ok=True)
    is_new = journal.look(kept_in) == journal.Kept(None, [])
    documents = (former.find(folder) if is_new else None) or journal.load_all(kept_in)
    if is_new and documents:
        folding.write_snapshot(kept_in, 1, documents)
    tables.restore(documents, boot=int(system_now().timestamp() * 1000))
    queues.restore(documents)
    objects.restore(documents)
    former.set_aside(folder)
    return journal.Journal(kept_in, folding.Folder(kept_in))


if __name__ == "__main__":
    main()
