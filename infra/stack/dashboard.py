"""One page for whoever was woken: are calls answered, how fast, by whom not, and is what follows on time."""

import json
from typing import Any

from forge.store.physical import QUEUES
from forge.wire.measures import COLD, DURATION, FAILED, LIMITED, NAMESPACE, REFUSED, TEAM, TOOLS
from infra.stack.addresses import API
from infra.stack.alarms import alarms
from infra.stack.data import RELAY_FAILURES, TABLE, queue_id
from infra.stack.functions import DISPATCH, RELAY, ROUTER, SWEEP
from infra.stack.logs import FUNCTIONS_LOG
from infra.stack.metrics import Metric, of_function, of_queue, of_table, of_team
from infra.stack.shapes import Resources, attribute, ref, sub

Widget = dict[str, Any]

DASHBOARD = "Dashboard"
_WIDTH, _HEIGHT, _PERIOD = 8, 6, 300
_FAILURES = (
    "SOURCE '${log}' | filter message = 'call' and outcome in ['internal', 'unavailable'] "
    "| stats count() as calls, latest(requestId) as example by operation, outcome | sort calls desc"
)
_SLOWEST = (
    "SOURCE '${log}' | filter message = 'call' and door != 'invoke' "
    "| stats count() as calls, pct(ms, 50) as median, pct(ms, 99) as p99 by operation | sort p99 desc"
)


def dashboard_resources() -> Resources:
    names: dict[str, Any] = {"log": ref(FUNCTIONS_LOG)}
    logged = [_table("Failed calls", _FAILURES), _table("Slowest", _SLOWEST)]
    widgets = [_alarms(names), *_calls(names), *_by_namespace(), *_resources(names), *logged]
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


def _by_namespace() -> list[Widget]:
    def found(statistic: str) -> list[Any]:
        figures = f'{{{NAMESPACE},{TEAM},{TOOLS}}} MetricName="{DURATION}" {TEAM}="${{{TEAM}}}"'
        return [[{"expression": f"SEARCH('{figures}', '{statistic}', {_PERIOD})"}]]

    return [
        _graph("Calls by namespace", found("SampleCount")),
        _graph("Slowest tenth by namespace, ms", found("p90")),
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
    workers = [
        ("relay is late by, ms", of_function(RELAY, "IteratorAge", "Maximum")),
        ("relay gave up on", of_queue(RELAY_FAILURES, "Visible")),
        ("failed dispatches", of_function(DISPATCH, "Errors", "Sum")),
        ("sweeps", of_function(SWEEP, "Invocations", "Sum")),
        ("failed sweeps", of_function(SWEEP, "Errors", "Sum")),
    ]
    queued = [(queue.name, of_queue(queue_id(queue.name), "Age")) for queue in QUEUES]
    return [
        _lines("Router", router, names),
        _lines("Table", table, names),
        _lines("Relay, dispatch and sweep", workers, names),
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
