"""What a log line tells CloudWatch: figures in the embedded metric format, prepared ahead of the calls.

Powertools writes the same, but importing it takes longer than a call. Each figure of each namespace is
charged for by the month, so only durations are told by namespace (there are as many as there are calls);
which tool it was, the log knows.
"""

from collections.abc import Iterable
from datetime import datetime

from forge.contract.catalog import CatalogTool
from forge.errors import WIRE
from forge.jsontext import encode, quote

NAMESPACE = "Forge"
TEAM, TOOLS = "team", "namespace"
DURATION, REFUSED, LIMITED, FAILED, COLD = "ms", "refused", "limited", "failed", "coldStarts"
COUNTS = (REFUSED, LIMITED, FAILED, COLD)
PROTOCOL = "protocol"
"""The namespace of whatever is not a call of a tool that exists: what callers write is never a dimension."""

_INVOKE = "invoke"
_DURATION = {
    "Namespace": NAMESPACE,
    "Dimensions": [[TEAM], [TEAM, TOOLS]],
    "Metrics": [{"Name": DURATION, "Unit": "Milliseconds"}],
}


class Measures:
    """The end of a call's line, by operation and outcome: all of it but the time is there already."""

    def __init__(self, team: str, tools: Iterable[CatalogTool]) -> None:
        self._team = quote(team)
        self._namespaces = {
            name: tool.namespace for tool in tools for name in (tool.name, tool.portable_name)
        }
        self._ends: dict[tuple[str, str], str] = {}
        self._is_cold = True

    def end(self, door: str, operation: str, outcome: str, epoch_milliseconds: str) -> str:
        if self._is_cold:
            # Once in each copy, also in those that are restored from one snapshot.
            self._is_cold = False
            return f"{self._prepared(door, operation, outcome, is_cold=True)}{epoch_milliseconds}}}"
        if door == _INVOKE:
            return ""
        end = self._ends.get((operation, outcome)) or self._keep(door, operation, outcome)
        return f"{end}{epoch_milliseconds}}}"

    def _keep(self, door: str, operation: str, outcome: str) -> str:
        """As many as there are tools and outcomes: everything else that callers may ask for shares one."""
        known = operation if operation in self._namespaces else PROTOCOL
        if (known, outcome) not in self._ends:
            self._ends[known, outcome] = self._prepared(door, known, outcome)
        return self._ends[known, outcome]

    def _prepared(self, door: str, operation: str, outcome: str, *, is_cold: bool = False) -> str:
        # The router tells how a call went that it handed on, so that each is counted once.
        is_ours = door != _INVOKE
        ended = _class_of(outcome) if is_ours else None
        counts = [name for name in (ended, COLD if is_cold else None) if name]
        directives = ([_DURATION] if is_ours else []) + ([_counted(counts)] if counts else [])
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
    if outcome == "ok":
        return None
    status = {code.value: wire.http_status for code, wire in WIRE.items()}.get(outcome, 400)
    if status == 429:
        return LIMITED
    return FAILED if status >= 500 else REFUSED
