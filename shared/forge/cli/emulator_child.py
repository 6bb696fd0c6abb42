"""The emulator's own process: ministack, and a snapshot of its state every few seconds.

On its own ministack saves only when it is stopped; a snapshot bounds what a crash can take with it.
"""

import logging
from threading import Thread
from time import sleep

from ministack import app
from ministack.core.persistence import save_all

SNAPSHOT_SECONDS = 5


def snapshot_forever() -> None:
    while True:
        sleep(SNAPSHOT_SECONDS)
        # Each service's file is replaced as a whole, and one that is being changed is left for the next time.
        save_all(app._build_persistence_save_dict())  # noqa: SLF001 - the pinned release has no other door


if __name__ == "__main__":
    logging.getLogger("ministack.core.persistence").setLevel(logging.CRITICAL)
    Thread(target=snapshot_forever, daemon=True).start()
    app.main()
