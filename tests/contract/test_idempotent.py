"""What is told again to a tool that is declared idempotent changes nothing more."""

import pytest

from tests.contract.calls import CHANGING
from tests.contract.dumps import content
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import Sample

KEEPS_THE_TIME = {
    "agents.heartbeat": "when the agent was heard of",
    "comments.upsertStatus": "when the agent last said how its work goes",
    "github.sync": "when GitHub was asked",
    "pipeline_set_profile": "when the profile was given",
    "runtimes.heartbeat": "when the runtime was heard of",
}
"""All that is new when it is told again, and what it is told for."""

IDEMPOTENT = [one for one in CHANGING if one.tool.idempotent and one.tool.name not in KEEPS_THE_TIME]


@pytest.mark.parametrize("sample", IDEMPOTENT, ids=str)
def test_whoever_says_it_again_changes_nothing_more(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    assert rehearsal.call(is_repeatable=False).status == 200
    once = content(rehearsal.store)

    rehearsal.world.clock.advance(minutes=1)
    rehearsal.call(is_repeatable=False)
    # Whoever rehearses next begins at the same time.
    rehearsal.world.clock.advance(minutes=-1)

    assert content(rehearsal.store) == once
