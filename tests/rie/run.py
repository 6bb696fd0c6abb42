"""`make rie`: every handler answers its own kind of event under the real runtime, beside a peer."""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from forge.cli.emulator import CREDENTIALS, REGION, Emulator, running_emulator
from forge.store.physical import QUEUES
from forge.store.provision import provision
from infra.deploy import BUILD, build
from infra.invoking.emulated import Program, emulator_in, running
from infra.layer import MAX_BYTES, MAX_GITHUB_BYTES, MAX_OAUTH_BYTES, MAX_PIPELINE_BYTES, size_of
from infra.stack.functions import (
    DISPATCH,
    ERASURES,
    ERRANDS,
    EXPORTS,
    GITHUB_LAYER,
    LAYER,
    OAUTH_LAYER,
    PIPELINE_LAYER,
    RELAY,
    SWEEP,
    TASKS,
    WAITS,
    WORDS,
    function_id,
    layers_of,
)
from tests.rie.calls import events_on, is_answered

ROUNDS = 5
_TAKING_MESSAGES = frozenset({RELAY, DISPATCH, WAITS, TASKS, ERRANDS, EXPORTS, ERASURES, WORDS})
BUDGETS = {"router": 0.5, "workspace": 1.0, "issues": 1.4}
BUDGETS_OF_LAYERS = {
    LAYER: MAX_BYTES,
    PIPELINE_LAYER: MAX_PIPELINE_BYTES,
    GITHUB_LAYER: MAX_GITHUB_BYTES,
    OAUTH_LAYER: MAX_OAUTH_BYTES,
}
"""A layer that the template does not have yet takes no room."""
_DEPLOYMENT = "forge-rie"
_PEER = Path(__file__).parent / "peer"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("sam", "python", "peer-packages"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    build(given.sam.absolute())
    sizes = [_is_small(BUILD / name, most) for name, most in BUDGETS_OF_LAYERS.items()]
    with tempfile.TemporaryDirectory() as folder, running_emulator(Path(folder) / "aws") as aws:
        store = provision(aws.connections(), _DEPLOYMENT)
        program = _program(given.sam, given.python, _environment(aws))
        log = Path(folder) / "function.log"
        asked = events_on(store)
        failed = [name for name, events in sorted(asked.items()) if not _answers(name, events, program, log)]
        within = _compare(program, given.peer_packages.absolute(), log)
    print(f"{len(asked) - len(failed)} passed, {len(failed)} failed")
    return 0 if within and all(sizes) and not failed else 1


def _is_small(layer: Path, most: int) -> bool:
    size = size_of(layer)
    verdict = "ok" if size <= most else "over"
    print(f"{layer.name}: {size / 1e6:.1f} MB, budget {most / 1e6:.0f}: {verdict}")
    return size <= most


def _program(sam: Path, python: Path, environment: Mapping[str, str]) -> Program:
    return Program(emulator_in(sam), python.absolute(), (), "", environment)


def _of_function(program: Program, folder: str) -> Program:
    """Exactly what the function gets: its zip and its layers, nothing of this checkout."""
    paths = (BUILD / function_id(folder), *(BUILD / layer / "python" for layer in layers_of(folder)))
    return replace(program, paths=paths, handler=f"functions.{folder}.app.handler")


def _answers(folder: str, events: list[Any], program: Program, log: Path) -> bool:
    with running(_of_function(program, folder), log) as function:
        answers = [function.invoke(event) for event in events]
        is_right = all(_is_right(folder, answer) for answer in answers)
        paths = ", ".join(event.get("rawPath", "an event") for event in events)
        took = function.init_milliseconds()
        print(f"{'ok    ' if is_right else 'FAILED'} {folder:10} init {took:7.1f} ms, {paths}")
    if not is_right:
        print(json.dumps(answers)[:1000], log.read_text(errors="replace")[-2000:], sep="\n")
    return is_right


def _is_right(folder: str, answer: Any) -> bool:
    if folder in _TAKING_MESSAGES:
        return bool(answer == {"batchItemFailures": []})
    if folder == SWEEP:
        # Log rows of what was just changed are due now.
        return isinstance(answer.get("settled"), int)
    return is_answered(answer)


def _compare(program: Program, peer_packages: Path, log: Path) -> bool:
    """Init times as ratios of one run, the contenders taking turns; noise only adds, so the best counts."""
    peer = replace(program, paths=(_PEER, peer_packages), handler="function.handler")
    contenders = {"peer": peer} | {name: _of_function(program, name) for name in BUDGETS}
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            with running(contender, log) as function:
                function.invoke({})
                times[name].append(function.init_milliseconds())
    best = {name: min(taken) for name, taken in times.items()}
    for name, budget in BUDGETS.items():
        ratio = best[name] / best["peer"]
        verdict = "ok" if ratio <= budget else "over"
        print(f"init of {name}: {best[name]:.0f} ms, {ratio:.2f} x the peer's, budget {budget}: {verdict}")
    return all(best[name] / best["peer"] <= budget for name, budget in BUDGETS.items())


def _environment(aws: Emulator) -> dict[str, str]:
    """That of a deployed function."""
    urls = {
        queue.name: aws.connections()
        .sqs()
        .get_queue_url(QueueName=f"{_DEPLOYMENT}-{queue.name}{queue.ending}")
        for queue in QUEUES
    }
    return {
        "AWS_ENDPOINT_URL": aws.endpoint,
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_LAMBDA_FUNCTION_NAME": "forge",
        "FORGE_TABLE": _DEPLOYMENT,
        "FORGE_BUCKET": _DEPLOYMENT,
        "FORGE_PUBLIC_URL": "https://forge.example.com",
        "FORGE_TEAM": "rie",
        "FORGE_TOKEN_SECRET": "a secret for tests that signs nothing real",
        **{f"FORGE_QUEUE_{name.upper()}": url["QueueUrl"] for name, url in urls.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
