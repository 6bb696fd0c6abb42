"""`make rie`: every handler answers its own kind of event under the real runtime, beside a peer."""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from forge.auth.keys import KeyOrder, Minted, hash_of, mint
from forge.cli.emulator import CREDENTIALS, REGION, Emulator, running_emulator
from forge.clock import new_id, system_now
from forge.context import KeyKind, Role
from forge.contract.terms import Scope
from forge.store.physical import QUEUES
from forge.store.provision import provision
from forge.testing.keepers import StoreKeeper
from infra.deploy import BUILD, build
from infra.events import EXAMPLE_KEY
from infra.generate import EVENTS
from infra.layer import MAX_BYTES, size_of
from infra.stack.functions import LAYER, RELAY, ROUTER, SWEEP, function_id
from tests.rie.emulated import Program, running

ROUNDS = 5
BUDGETS = {"router": 0.5, "workspace": 1.0, "issues": 1.4}
_PEER = Path(__file__).parent / "peer"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("sam", "python", "peer-packages"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    build(given.sam.absolute())
    is_small = _is_small(BUILD / LAYER)
    with tempfile.TemporaryDirectory() as folder, running_emulator(Path(folder) / "aws") as aws:
        program = _program(given.sam, given.python, _environment(aws))
        log = Path(folder) / "function.log"
        failed = [name for name in sorted(_events()) if not _answers(name, program, log)]
        within = _compare(program, given.peer_packages.absolute(), log)
    print(f"{len(_events()) - len(failed)} passed, {len(failed)} failed")
    return 0 if within and is_small and not failed else 1


def _is_small(layer: Path) -> bool:
    size = size_of(layer)
    verdict = "ok" if size <= MAX_BYTES else "over"
    print(f"layer: {size / 1e6:.1f} MB, budget {MAX_BYTES / 1e6:.0f}: {verdict}")
    return size <= MAX_BYTES


def _program(sam: Path, python: Path, environment: Mapping[str, str]) -> Program:
    packages = next((sam.absolute().parent.parent / "lib").glob("python*")) / "site-packages"
    machine = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"
    binary = packages / "samcli" / "local" / "rapid" / f"aws-lambda-rie-{machine}"
    return Program(binary, python.absolute(), (), "", environment)


def _of_function(program: Program, folder: str) -> Program:
    """Exactly what the function gets: its zip and the layer, nothing of this checkout."""
    paths = (BUILD / function_id(folder), BUILD / LAYER / "python")
    return replace(program, paths=paths, handler=f"functions.{folder}.app.handler")


def _answers(folder: str, program: Program, log: Path) -> bool:
    with running(_of_function(program, folder), log) as function:
        answer = function.invoke(_events()[folder])
        is_right = _is_right(folder, answer)
        print(f"{'ok    ' if is_right else 'FAILED'} {folder:10} init {function.init_milliseconds():7.1f} ms")
    if not is_right:
        print(json.dumps(answer)[:1000], log.read_text(errors="replace")[-2000:], sep="\n")
    return is_right


def _is_right(folder: str, answer: Any) -> bool:
    if folder == RELAY:
        return bool(answer == {"batchItemFailures": []})
    if folder == SWEEP:
        return bool(answer == {"settled": 0})
    if answer.get("statusCode") not in (200, 404):
        return False
    body = json.loads(answer["body"])
    if folder == ROUTER:
        return body["result"]["isError"] is False
    # Where the example names an issue, there is none yet.
    return body.get("error") in (None, "not_found")


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


def _events() -> dict[str, Any]:
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in EVENTS.glob("*.json")}


def _environment(aws: Emulator) -> dict[str, str]:
    """A deployed table in which the examples' key is known."""
    store = provision(aws.connections(), "forge-rie")
    keeper = StoreKeeper(store, system_now, new_id)
    workspace = keeper.add_workspace("demo", new_id=new_id, now=system_now())
    order = KeyOrder("example", KeyKind.PERSONAL, workspace.id, tuple(Scope), new_id("usr"), Role.OWNER)
    minted = mint(order, key_id=new_id("key"), now=system_now())
    keeper.add_key(Minted(EXAMPLE_KEY, "example", minted.record._replace(key_hash=hash_of(EXAMPLE_KEY))))
    urls = {
        queue.name: aws.connections().sqs().get_queue_url(QueueName=f"forge-rie-{queue.name}")
        for queue in QUEUES
    }
    return {
        "AWS_ENDPOINT_URL": aws.endpoint,
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_LAMBDA_FUNCTION_NAME": "forge",
        "FORGE_TABLE": "forge-rie",
        "FORGE_BUCKET": "forge-rie",
        "FORGE_TOKEN_SECRET": "a secret for tests that signs nothing real",
        **{f"FORGE_QUEUE_{name.upper()}": url["QueueUrl"] for name, url in urls.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
