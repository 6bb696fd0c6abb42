"""One page for whoever was woken: are calls answered, how fast, by whom not, and is what follows on time."""

import json
from typing import Any

from forge.store.physical import INDEXES, MACHINES, QUEUES
from forge.wire.measures import COLD, DURATION, FAILED, GIVEN_UP, LIMITED, REFUSED
from infra.stack.addresses import API
from infra.stack.alarms import alarms
from infra.stack.data import DEAD_LETTERS, FIFO_DEAD_LETTERS, RELAY_FAILURES, TABLE, machine_id, queue_id
from infra.stack.functions import DISPATCH, RELAY, ROUTER, SWEEP
from infra.stack.logs import FUNCTIONS_LOG
from infra.stack.metrics import (
    Metric,
    of_function,
    of_index,
    of_machine,
    of_queue,
    of_service,
    of_table,
    of_team,
)
from infra.stack.shapes import Resources, attribute, ref, sub

Widget = dict[str, Any]

DASHBOARD = "Dashboard"
_WIDTH, _HEIGHT, _PERIOD = 8, 6, 300
_FAILURES = (
    "SOURCE '${log}' | filter message = 'call' and outcome in ['internal', 'unavailable'] "
    "| stats count() as calls, latest(requestId) as example by operation, outcome | sort calls desc"
)
_NAMESPACES = (
    "SOURCE '${log}' | filter message = 'call' and door != 'invoke' "
    "| stats count() as calls, pct(ms, 50) as median, pct(ms, 90) as p90 by namespace | sort calls desc"
)
_SLOWEST = (
    "SOURCE '${log}' | filter message = 'call' and door != 'invoke' "
    "| stats count() as calls, pct(ms, 50) as median, pct(ms, 99) as p99 by operation | sort p99 desc"
)


def dashboard_resources() -> Resources:
    names: dict[str, Any] = {"log": ref(FUNCTIONS_LOG)}
    queries = {"Failed calls": _FAILURES, "Namespaces": _NAMESPACES, "Slowest": _SLOWEST}
    logged = [_table(title, query) for title, query in queries.items()]
    widgets = [_alarms(names), *_calls(names), *_resources(names), *logged]
    placed = [
        widget | {"x": number % 3 * _WIDTH, "y": number // 3 * _HEIGHT, "width": _WIDTH, "height": _HEIGHT}
        for number, widget in enumerate(widgets)
    ]
    body = {"Fn::Sub": [json.dumps({"widgets": placed}), names]}
    return {DASHBOARD: {"Type": "AWS::CloudWatch::Dashboard", "Properties": {"DashboardBody": body}}}


def _alarms(names: dict[str, Any]) -> Widget:
    for alarm in alarms():
        names[alarm.name] = attribute(alarm.name, "Arn")
    shown = [f"${{{alarm.name}}}" for alarm in alarms()]
    return {"type": "alarm", "properties": {"title": "What to do", "alarms": shown}}


def _calls(names: dict[str, Any]) -> list[Widget]:
    ended = [(name, of_team(name, "Sum")) for name in (REFUSED, LIMITED, FAILED)]
    percentiles = [(stat, of_team(DURATION, stat)) for stat in ("p50", "p95", "p99")]
    answered = [
        (name, Metric("AWS/ApiGateway", name, (("ApiId", ref(API)),), "Sum"))
        for name in ("Count", "4xx", "5xx")
    ]
    return [
        _lines("Calls", [("calls", of_team(DURATION, "SampleCount")), *ended], names),
        _lines("Milliseconds", percentiles, names),
        _lines("API", answered, names),
    ]


def _resources(names: dict[str, Any]) -> list[Widget]:
    router = [
        ("at once", of_function(ROUTER, "ConcurrentExecutions", "Maximum")),
        ("turned away", of_function(ROUTER, "Throttles", "Sum")),
        ("cold starts of all", of_team(COLD, "Sum")),
    ]
    table = [
        ("read units", of_table(TABLE, "ConsumedReadCapacityUnits")),
        ("write units", of_table(TABLE, "ConsumedWriteCapacityUnits")),
        ("reads turned away", of_table(TABLE, "ReadThrottleEvents")),
        ("writes turned away", of_table(TABLE, "WriteThrottleEvents")),
    ]
    throttled = [
        (f"{index.name}, {kind.lower()}s", of_index(TABLE, index.name, f"{kind}ThrottleEvents"))
        for index in INDEXES
        for kind in ("Read", "Write")
    ]
    aside = [
        *((name, of_queue(name, "Visible")) for name in (RELAY_FAILURES, DEAD_LETTERS, FIFO_DEAD_LETTERS)),
        *((f"given up by {one}", of_service(one, GIVEN_UP, "Sum")) for one in (DISPATCH, SWEEP)),
        *((f"failed: {name}", of_machine(machine_id(name), "ExecutionsFailed")) for name in MACHINES),
    ]
    workers = [
        ("relay is late by, ms", of_function(RELAY, "IteratorAge", "Maximum")),
        ("failed dispatches", of_function(DISPATCH, "Errors", "Sum")),
        ("sweeps", of_function(SWEEP, "Invocations", "Sum")),
        ("failed sweeps", of_function(SWEEP, "Errors", "Sum")),
    ]
    queued = [(queue.name, of_queue(queue_id(queue.name), "Age")) for queue in QUEUES]
    return [
        _lines("Router", router, names),
        _lines("Table", table, names),
        _lines("Turned away by indexes", throttled, names),
        _lines("Relay, dispatch and sweep", workers, names),
        _lines("Put aside and given up", aside, names),
        _lines("Oldest message, seconds", queued, names),
    ]


def _lines(title: str, metrics: list[tuple[str, Metric]], names: dict[str, Any]) -> Widget:
    return _graph(title, [metric.row(label, names) for label, metric in metrics])


def _graph(title: str, metrics: list[Any]) -> Widget:
    properties = {"title": title, "metrics": metrics, "region": "${AWS::Region}", "view": "timeSeries"}
    return {"type": "metric", "properties": properties | {"period": _PERIOD}}


def _table(title: str, query: str) -> Widget:
    properties = {"title": title, "query": query, "region": "${AWS::Region}", "view": "table"}
    return {"type": "log", "properties": properties}


def dashboard_url() -> dict[str, str]:
    console = "https://console.aws.amazon.com/cloudwatch/home?region=${AWS::Region}"
    return sub(f"{console}#dashboards:name=${{{DASHBOARD}}}")
