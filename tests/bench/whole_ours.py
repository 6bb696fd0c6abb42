"""Forge as a contender in whole calls: each function's own handler, with the real client."""

import importlib
import os
from datetime import datetime

from forge.contract.catalog import load_catalog
from tests.bench import recordings, workload
from tests.bench.recordings import Recording
from tests.bench.replayed import replay
from tests.bench.worker import Task, serve


def task(recording: Recording) -> Task:
    folder = load_catalog().get(recording.tool).module.split(".")[1]
    handler = importlib.import_module(f"functions.{folder}.app").handler
    moment = datetime.fromisoformat(recording.now)

    def call() -> None:
        replay.rewind(moment, recording.last_id)
        answer = handler(recording.event, None)
        workload.require(answer["body"] == recording.body, answer)

    return call


if __name__ == "__main__":
    found = recordings.load(os.environ[recordings.VARIABLE])
    serve({name: task(recording) for name, recording in found.items()})
