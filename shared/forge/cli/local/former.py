"""Homes of before there was a journal: their state is read once, by the engine that wrote it."""

import json
from pathlib import Path as File

from ministack.core.persistence import load_state
from ministack.services import dynamodb, sqs

from forge.cli.local import objects, queues, tables
from forge.cli.local.documents import Documents
from forge.cli.local.frames import Damaged

STATE = "state"
_READ = "state.converted"


def find(folder: File) -> Documents | None:
    """What a home of the former kind holds; nothing where there is none."""
    state = folder / STATE
    file = state / "dynamodb.json"
    if not file.exists():
        return None
    for each in (file, state / "sqs.json"):
        _require_readable(each)
    dynamodb.load_persisted_state(load_state("dynamodb"))
    sqs.load_persisted_state(load_state("sqs"))
    found = tables.documents() | queues.documents() | objects.documents()
    dynamodb.reset()
    sqs.reset()
    return found


def set_aside(folder: File) -> None:
    """It is in the journal from now on."""
    state = folder / STATE
    if state.exists():
        state.rename(folder / _READ)
    (folder / "running").unlink(missing_ok=True)


def _require_readable(file: File) -> None:
    """The engine would take a damaged file for none."""
    try:
        if file.exists():
            json.loads(file.read_bytes())
    except ValueError:
        raise Damaged(
            f"The state in {file} is damaged. Put it aside (everything in it is lost then), or restore it."
        ) from None
