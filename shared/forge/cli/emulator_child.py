"""The emulator's own process: ministack, and a snapshot of its state every few seconds.

On its own ministack saves only when it is stopped; a snapshot bounds what a crash can take with it.
"""

import logging
import os
from pathlib import Path
from threading import Thread
from time import sleep

from ministack import app
from ministack.core.persistence import save_all

from forge.cli.emulator_mark import MARK_VARIABLE

SNAPSHOT_SECONDS = 5


def snapshot_forever() -> None:
    while True:
        sleep(SNAPSHOT_SECONDS)
        # Each service's file is replaced as a whole, and one that is being changed is left for the next time.
        save_all(app._build_persistence_save_dict())  # noqa: SLF001 - the pinned release has no other door


def main() -> None:
    mark = Path(os.environ[MARK_VARIABLE])
    mark.touch()
    logging.getLogger("ministack.core.persistence").setLevel(logging.CRITICAL)
    Thread(target=snapshot_forever, daemon=True).start()
    try:
        app.main()
    finally:
        # Reached after ministack has saved, never when it was killed.
        mark.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
