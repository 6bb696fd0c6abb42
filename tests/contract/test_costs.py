"""No call asks more of DynamoDB than its declaration allows, and one that only reads changes nothing."""

import pytest

from forge.contract.effects import Cost
from forge.contract.models import Rendered
from forge.contract.terms import Effect
from forge.contract.tools import AnyTool
from tests.contract.calls import samples_of
from tests.contract.dumps import changes
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import ALL_TOOLS


def allowed_of(rehearsal: Rehearsal) -> Cost:
    tool, arguments, _ = rehearsal.ready
    if tool.output is not Rendered or tool.effect is Effect.READ_ONLY:
        return tool.costs
    # A call that calls another costs what the other costs beside its own.
    return tool.costs.beside(ALL_TOOLS[arguments.get("name") or arguments["action"]].costs)


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_a_call_costs_no_more_than_its_declaration_says(tool: AnyTool, rehearse: Rehearse) -> None:
    for sample in samples_of(tool.name):
        rehearsal = rehearse(sample)
        used, allowed = rehearsal.used, allowed_of(rehearsal)

        assert used.reads <= allowed.reads, sample
        assert used.writes <= allowed.writes, sample
        assert used.most_items <= allowed.items, sample
        # Two on the first of a minute.
        assert rehearsal.authentications == [2, 1], sample
        if tool.effect is Effect.READ_ONLY:
            assert used.writes == 0, sample
            # Apart from the count of its caller's calls.
            assert changes(rehearsal.start, rehearsal.end) == [], sample
