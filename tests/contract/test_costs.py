"""A call asks of DynamoDB what its declaration says, no more and no less; who only reads changes nothing."""

import pytest

from forge.contract.terms import Effect
from forge.contract.tools import AnyTool
from tests.contract.calls import samples_of
from tests.contract.costs import mistakes_in_costs, used_by
from tests.contract.dumps import changes
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_TOOLS


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_the_dearest_of_its_samples_costs_what_a_declaration_says(tool: AnyTool, rehearse: Rehearse) -> None:
    rehearsals = [rehearse(sample) for sample in samples_of(tool.name)]

    assert mistakes_in_costs(tool.costs, map(used_by, rehearsals)) == []
    for rehearsal in rehearsals:
        # Two on the first of a minute.
        assert rehearsal.authentications == [2, 1], rehearsal.sample
        if tool.effect is Effect.READ_ONLY:
            assert rehearsal.used.writes == 0, rehearsal.sample
            # Apart from the count of its caller's calls.
            assert changes(rehearsal.start, rehearsal.end) == [], rehearsal.sample
