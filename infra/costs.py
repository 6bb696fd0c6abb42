"""What a stack costs: the template's resources and measured units, at the list prices of us-east-1.

Prices change seldom, and in other regions are up to a half higher. What AWS gives every account for nothing
each month is taken off in one of the columns, as if there were nothing else in the account.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forge.store.physical import QUEUES
from infra.stack.functions import EVENTS, ROUTER, SWEEP, function_id

MOST_IDLE = 3.0
"""Dollars a month for a stack that nobody calls and that is alone in its account."""

CALLS = {"issues.get": (8, 1), "issues.create": (6, 45)}
"""Read and write units of one call, its authentication included; a test measures them."""
IDLE_SWEEP_UNITS = 2
"""Read units of a sweep that finds nothing; a test measures them."""

_MILLION, _THOUSAND = 1_000_000, 1_000
_MINUTES = 30 * 24 * 60
_FIGURE_WATCHED, _FREE_WATCHED = 0.10, 10
_DASHBOARD, _FREE_DASHBOARDS = 3.00, 3
_SECRET = 0.40
SQS, SQS_FIFO, _FREE_SQS = 0.40 / _MILLION, 0.50 / _MILLION, _MILLION
LAMBDA_CALL, _FREE_LAMBDA_CALLS = 0.20 / _MILLION, _MILLION
GIGABYTE_SECOND, _FREE_GIGABYTE_SECONDS = 0.0000133334, 400_000
_TICK = 1.00 / _MILLION
_TRACE, _FREE_TRACES = 5.00 / _MILLION, 100_000
LOGGED_BYTE, _FREE_LOGGED = 0.50 / 1024**3, 5 * 1024**3
READ, WRITE = 0.125 / _MILLION, 0.625 / _MILLION
REQUEST = 1.00 / _MILLION

_POLLS_A_MINUTE = 5 * 3
"""Of a queue that Lambda waits at: five connections, each of which asks every twenty seconds."""
_SWEEP_SECONDS = 0.1
"""Billed for a sweep that finds nothing, its start apart."""
_CALL_SECONDS = 0.05
"""Billed for a call, in each function that it passes: somewhat more than the waits for DynamoDB."""
LINES_OF_LAMBDA = 350
"""Bytes that Lambda writes about each invocation; a call's own line has about as many, the API's, too."""


_BEGIN, _END = "<!-- what follows is written by `make generate` -->", "<!-- so far -->"


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the table, in dollars."""

    what: str
    listed: float
    alone: float
    """After what an account has for nothing."""


def with_costs(guide: str, resources: Mapping[str, Any]) -> str:
    """The guide with the tables between its two marks."""
    before, begin, rest = guide.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        raise ValueError(f"the guide must have the lines {_BEGIN} and {_END}")
    return f"{before}{begin}\n{cost_tables(resources)}{end}{after}"


def cost_tables(resources: Mapping[str, Any]) -> str:
    idle = idle_costs(resources)
    total = Item("**together**", sum(one.listed for one in idle), sum(one.alone for one in idle))
    rows = [f"| {one.what} | {one.listed:.2f} | {one.alone:.2f} |" for one in (*idle, total)]
    extra = watched_figures(resources, with_indexes=True) - watched_figures(resources)
    calls = [f"| 1,000 × `{name}` | {_of_calls(name, resources):.4f} |" for name in CALLS]
    follower = memory_of(resources, EVENTS) * _MINUTES * 60 * GIGABYTE_SECOND
    return "\n".join(
        [
            "| a month in which nobody calls, in USD | list price | alone in its account |",
            "|---|---|---|",
            *rows,
            "",
            "| more, in USD | list price |",
            "|---|---|",
            *calls,
            f"| somebody who follows events all month | {follower:.2f} |",
            f"| `IndexAlarms=true`, a month | {extra * _FIGURE_WATCHED:.2f} |",
            "",
        ]
    )


def idle_costs(resources: Mapping[str, Any]) -> list[Item]:
    figures = watched_figures(resources)
    dashboards = _count(resources, "AWS::CloudWatch::Dashboard")
    always = {name: one for name, one in resources.items() if "Condition" not in one}
    secrets = _count(always, "AWS::SecretsManager::Secret")
    polls = _POLLS_A_MINUTE * _MINUTES
    fifo = sum(queue.is_fifo for queue in QUEUES)
    polled = (len(QUEUES) - fifo) * polls * SQS + fifo * polls * SQS_FIFO
    logged = _MINUTES * LINES_OF_LAMBDA
    return [
        Item(
            f"alarms on {figures} figures",
            figures * _FIGURE_WATCHED,
            _beyond(figures, _FREE_WATCHED) * _FIGURE_WATCHED,
        ),
        Item(f"Lambda waiting at {len(QUEUES)} queues", polled, max(polled - _FREE_SQS * SQS, 0.0)),
        Item("secret that signs tokens", secrets * _SECRET, secrets * _SECRET),
        Item("sweep, once a minute", _sweeps(resources), _MINUTES * IDLE_SWEEP_UNITS * READ),
        Item("its traces", _MINUTES * _TRACE, _beyond(_MINUTES, _FREE_TRACES) * _TRACE),
        Item("its log", logged * LOGGED_BYTE, _beyond(logged, _FREE_LOGGED) * LOGGED_BYTE),
        Item(
            "dashboard; an account has three for nothing",
            dashboards * _DASHBOARD,
            _beyond(dashboards, _FREE_DASHBOARDS) * _DASHBOARD,
        ),
    ]


def watched_figures(resources: Mapping[str, Any], *, with_indexes: bool = False) -> int:
    """CloudWatch charges for the figures that alarms watch, not for alarms."""
    alarms = [one["Properties"] for one in resources.values() if one["Type"] == "AWS::CloudWatch::Alarm"]
    return sum(_figures(alarm, with_indexes=with_indexes) for alarm in alarms)


def _figures(alarm: Mapping[str, Any], *, with_indexes: bool) -> int:
    queries = alarm.get("Metrics", [{"MetricStat": alarm}])
    if "Fn::If" in queries:
        queries = queries["Fn::If"][1 if with_indexes else 2]
    return sum("MetricStat" in one for one in queries)


def _sweeps(resources: Mapping[str, Any]) -> float:
    seconds = _SWEEP_SECONDS * memory_of(resources, SWEEP) * GIGABYTE_SECOND
    return _MINUTES * (LAMBDA_CALL + seconds + _TICK + IDLE_SWEEP_UNITS * READ)


def _of_calls(name: str, resources: Mapping[str, Any]) -> float:
    """By MCP, through the router and the function of the namespace."""
    reads, writes = CALLS[name]
    folder = name.partition(".")[0]
    memory = memory_of(resources, ROUTER) + memory_of(resources, folder)
    logged = 2 * 2 * LINES_OF_LAMBDA + LINES_OF_LAMBDA
    one = REQUEST + 2 * LAMBDA_CALL + _CALL_SECONDS * memory * GIGABYTE_SECOND
    return _THOUSAND * (one + reads * READ + writes * WRITE + logged * LOGGED_BYTE)


def memory_of(resources: Mapping[str, Any], folder: str) -> float:
    return float(resources[function_id(folder)]["Properties"]["MemorySize"]) / 1024


def _count(resources: Mapping[str, Any], kind: str) -> int:
    return sum(one["Type"] == kind for one in resources.values())


def _beyond(used: float, free: float) -> float:
    return max(used - free, 0)
