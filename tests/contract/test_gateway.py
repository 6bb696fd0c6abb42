"""Every tool that agents are offered is an action of the gateway."""

import json

import pytest

from forge.contract.models import Rendered
from forge.contract.terms import INTENTS, Effect, Surface
from tests.contract.calls import SAMPLES
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import Sample

FIRST = {sample.tool.name: sample for sample in reversed(SAMPLES)}
OFFERED = [
    sample
    for sample in FIRST.values()
    if sample.tool.surface is Surface.MCP and sample.tool.output is not Rendered
]


@pytest.mark.parametrize("sample", OFFERED, ids=str)
def test_a_tool_is_an_action_of_the_gateway(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    tool, arguments, key = rehearsal.ready
    request = {
        "intent": INTENTS[tool.effect][0],
        "action": tool.portable_name,
        "effect": tool.effect,
        "params": arguments,
    }

    answer = rehearsal.world.rest("gateway.execute", request, key=key)

    told = json.loads(answer.body)
    assert told["ok"] is True, told
    assert told["meta"]["mcp_name"] == tool.namespace
    assert told["result"]["artifact_type"] == "JSON"
    symbols = told["result"]["affected_symbols"]
    assert len(set(symbols)) == len(symbols)
    # Its own runs have no id.
    assert bool(symbols) is (tool.effect is not Effect.READ_ONLY) or tool.long or tool.namespace == "gateway"
