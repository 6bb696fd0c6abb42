"""Every tool has a sample call, which succeeds over RPC too."""

from tests.contract.calls import SAMPLES, every_offered_sample
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_TOOLS, Sample


def test_every_tool_has_a_sample_call() -> None:
    missing = set(ALL_TOOLS) - {sample.tool.name for sample in SAMPLES}

    assert not missing, f"add a call of {sorted(missing)} to SAMPLES in tests/contract/calls.py"


@every_offered_sample
def test_a_sample_call_succeeds_over_rpc(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    tool, arguments, key = rehearsal.ready
    rehearsal.rewind()

    result = rehearsal.world.call(tool.portable_name, arguments, key=key)

    assert result["isError"] is False, result
