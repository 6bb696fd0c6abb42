"""The state machines: each waits for somebody, and does nothing but send messages meanwhile."""

import json
from pathlib import Path
from typing import Any

from forge.store.physical import MACHINES
from infra.stack import policies
from infra.stack.data import machine_id, queue_id
from infra.stack.encryption import use_key
from infra.stack.roles import policy, role
from infra.stack.shapes import Resource, Resources, attribute, ref, sub

QUEUE = "waits"
ROLE = "MachinesRole"
_DEFINITIONS = Path(__file__).parents[1] / "statemachines"


def machine_resources() -> Resources:
    # A queue that is encrypted with a key takes messages only from who may use it.
    telling = role("states.amazonaws.com", [policy("Telling", [policies.send_to(QUEUE)]), use_key()])
    return {ROLE: telling, **{machine_id(name): _machine(name) for name in MACHINES}}


def definition(name: str) -> dict[str, Any]:
    """As it is written down, with places for what only a deployment knows."""
    found: dict[str, Any] = json.loads((_DEFINITIONS / f"{name}.asl.json").read_text(encoding="utf-8"))
    return found


def _machine(name: str) -> Resource:
    written = definition(name)
    states = written["States"].items()
    return {
        "Type": "AWS::StepFunctions::StateMachine",
        "Properties": {
            "StateMachineType": "STANDARD",
            "RoleArn": attribute(ROLE, "Arn"),
            "Definition": {**written, "States": {one: _settled(state) for one, state in states}},
            "DefinitionSubstitutions": {"WaitsQueueUrl": ref(queue_id(QUEUE))},
        },
    }


def _settled(state: dict[str, Any]) -> dict[str, Any]:
    """In the partition that is deployed to; no substitution, because linters look at it before those."""
    return {**state, "Resource": sub(state["Resource"])} if "Resource" in state else state
