"""What a log line tells CloudWatch: figures in the embedded metric format, prepared ahead of the calls.

Powertools writes the same, but importing it takes longer than a call. Each figure of each namespace is
charged for by the month, so only durations are told by namespace, and only where that is asked for; which
tool and which namespace it was, the log knows.
"""

from collections.abc import Iterable
from datetime import datetime

from forge.contract.catalog_tools import CatalogTool
from forge.errors import WIRE
from forge.jsontext import encode, quote

NAMESPACE = "Forge"
TEAM, TOOLS = "team", "namespace"
DURATION, REFUSED, LIMITED, FAILED, COLD = "ms", "refused", "limited", "failed", "coldStarts"
COUNTS = (REFUSED, LIMITED, FAILED, COLD)
OK, ASKED = "ok", "asked"
"""How calls end that nobody has to look at; one that is asked back about is made again."""
GIVEN_UP = "dead"
"""What workers count that is not tried again."""
PROTOCOL = "protocol"
"""The namespace of whatever is not a call of a tool that exists: what callers write is never a dimension."""

_INVOKE = "invoke"


class Measures:
    """The end of a call's line, all of it but the time."""

    def __init__(self, team: str, tools: Iterable[CatalogTool], *, by_namespace: bool = False) -> None:
        self._team = quote(team)
        self._duration = {
            "Namespace": NAMESPACE,
            "Dimensions": [[TEAM], [TEAM, TOOLS]] if by_namespace else [[TEAM]],
            "Metrics": [{"Name": DURATION, "Unit": "Milliseconds"}],
        }
        self._namespaces = {name: tool.namespace for tool in tools for name in (tool.name, *tool.other_names)}

    def end(self, door: str, operation: str, outcome: str, *, is_cold: bool) -> str:
        # The router tells how a call went that it handed on, so that each is counted once.
        is_ours = door != _INVOKE
        if not is_ours and not is_cold:
            return ""
        ended = _class_of(outcome) if is_ours else None
        counts = [name for name in (ended, COLD if is_cold else None) if name]
        directives = ([self._duration] if is_ours else []) + ([_counted(counts)] if counts else [])
        values = "".join(f',"{name}":1' for name in counts)
        namespace = self._namespaces.get(operation, PROTOCOL)
        return (
            f'{values},"{TEAM}":{self._team},"{TOOLS}":"{namespace}",'
            f'"_aws":{{"CloudWatchMetrics":{encode(directives)},"Timestamp":'
        )


def epoch_of(second: datetime) -> str:
    return str(int(second.timestamp()))


def _counted(names: list[str]) -> dict[str, object]:
    metrics = [{"Name": name, "Unit": "Count"} for name in names]
    return {"Namespace": NAMESPACE, "Dimensions": [[TEAM]], "Metrics": metrics}


def _class_of(outcome: str) -> str | None:
    if outcome in (OK, ASKED):
        return None
    status = {code.value: wire.http_status for code, wire in WIRE.items()}.get(outcome, 400)
    if status == 429:
        return LIMITED
    return FAILED if status >= 500 else REFUSED
