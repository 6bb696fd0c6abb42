"""What calls ask of DynamoDB, beside what their declaration says."""

from collections.abc import Iterable

from forge.contract.effects import FREE, Cost
from forge.contract.models import Rendered
from forge.contract.terms import Effect
from forge.testing.instruments import Counter
from tests.contract.rehearsals import Rehearsal
from tests.contract.stage import ALL_TOOLS


def mistakes_in_costs(declared: Cost, used: Iterable[Cost]) -> list[str]:
    """Where the dearest of some calls asks more or less than was declared."""
    calls = list(used)
    found = []
    for figure in ("reads", "writes", "items"):
        dearest, said = max(getattr(one, figure) for one in calls), getattr(declared, figure)
        if dearest != said:
            found.append(f"{figure}: {said} declared, {dearest} asked")
    return found


def used_by(rehearsal: Rehearsal) -> Cost:
    """What the call itself asked: one that calls another costs what the other costs beside its own."""
    whole, inner = _counted(rehearsal.used), _inner(rehearsal)
    # Their transactions are not joined.
    items = whole.items if inner == FREE or whole.items > inner.items else 0
    return Cost(whole.reads - inner.reads, whole.writes - inner.writes, items)


def _inner(rehearsal: Rehearsal) -> Cost:
    tool, arguments, _ = rehearsal.ready
    if tool.output is not Rendered or tool.effect is Effect.READ_ONLY:
        return FREE
    named = ALL_TOOLS[arguments.get("name") or arguments["action"]]
    given = arguments.get("arguments") or arguments.get("params") or {}
    rehearsal.rewind()
    used, ready = Counter(), rehearsal.ready
    rehearsal.ready = ready._replace(tool=named, arguments=given)
    rehearsal.call(used)
    rehearsal.ready = ready
    return _counted(used)


def _counted(used: Counter) -> Cost:
    return Cost(used.reads, used.writes, used.most_items)
