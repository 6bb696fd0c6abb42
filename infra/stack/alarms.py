"""What somebody has to look at. Each alarm says what to do, and tells the team's topic, if there is one.

CloudWatch charges for each figure that an alarm watches. Indexes have two each, watched only where asked for.
"""

from dataclasses import dataclass
from typing import Any

from forge.store.physical import INDEXES, MACHINES, QUEUES
from forge.wire.measures import DURATION, FAILED, GIVEN_UP
from infra.stack.addresses import API
from infra.stack.data import DEAD_LETTERS, FIFO_DEAD_LETTERS, RELAY_FAILURES, TABLE, machine_id, queue_id
from infra.stack.encryption import key_property
from infra.stack.functions import DISPATCH, ERASURES, EXPORTS, RELAY, ROUTER, SWEEP, TASKS
from infra.stack.metrics import (
    Metric,
    of_function,
    of_index,
    of_machine,
    of_queue,
    of_service,
    of_table,
    of_team,
    together,
)
from infra.stack.parameters import if_given
from infra.stack.shapes import Resource, Resources, ref

TOPIC = "AlarmTopic"
_MINUTE = 60
_LOGS = "fields requestId, operation, exception | filter level = 'ERROR' in Logs Insights on FunctionsLog"
_PATIENT = {TASKS: 2}
"""Queues whose messages may be so many times as old, because acting on one takes so long."""
_ORDERED = frozenset({EXPORTS, ERASURES})
"""What takes long, and whoever ordered it sees how far it is: a figure that is watched costs, too."""


@dataclass(frozen=True, slots=True)
class Alarm:
    name: str
    says: str
    metrics: tuple[Metric, ...]
    """More than one are added up, unless the expression says otherwise."""
    above: float
    minutes: int = 5
    times: int = 1
    """In so many periods in a row."""
    expression: str = "SUM(METRICS())"
    if_asked: tuple[Metric, ...] = ()
    """Those that the parameter IndexAlarms adds."""
    tells_of_silence: bool = False
    """Whether the topic also hears when figures stop coming; it does not before there were any."""


def alarms() -> list[Alarm]:
    return [
        *_about_calls(),
        *_about_capacity(),
        *_about_messages(),
        *_about_what_ended(),
        *_about_the_sweep(),
    ]


def alarm_resources() -> Resources:
    topic = {
        "Type": "AWS::SNS::Topic",
        "Condition": "HasAlarmEmail",
        "Properties": {
            "Subscription": [{"Protocol": "email", "Endpoint": ref("AlarmEmail")}],
            **key_property("KmsMasterKeyId"),
        },
    }
    return {TOPIC: topic, **{alarm.name: _resource(alarm) for alarm in alarms()}}


def _resource(alarm: Alarm) -> Resource:
    told = [if_given("HasAlarmTopic", ref("AlarmTopicArn")), if_given("HasAlarmEmail", ref(TOPIC))]
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmDescription": alarm.says,
            **_watched(alarm),
            "EvaluationPeriods": alarm.times,
            "Threshold": alarm.above,
            "ComparisonOperator": "GreaterThanThreshold",
            # What never happened has no figures.
            "TreatMissingData": "missing" if alarm.tells_of_silence else "notBreaching",
            "AlarmActions": told,
            # Whoever was woken hears, too, that it is over.
            "OKActions": told,
            **({"InsufficientDataActions": told} if alarm.tells_of_silence else {}),
        },
    }


def _watched(alarm: Alarm) -> dict[str, Any]:
    period = alarm.minutes * _MINUTE
    if len(alarm.metrics) == 1 and not alarm.if_asked:
        return alarm.metrics[0].watched(period)
    figures = together(alarm.metrics, period, alarm.expression)
    if alarm.if_asked:
        more = together((*alarm.metrics, *alarm.if_asked), period, alarm.expression)
        return {"Metrics": {"Fn::If": ["WatchesIndexes", more, figures]}}
    return {"Metrics": figures}


def _about_calls() -> list[Alarm]:
    return [
        Alarm(
            "FailedCallsAlarm",
            f"Calls end in errors of ours. Look for their tracebacks: {_LOGS}. If they began with a "
            "deployment, `make back TEAM=…` returns to the versions before it at once.",
            (of_team(FAILED, "Sum"),),
            above=5,
        ),
        Alarm(
            "ApiFailuresAlarm",
            "The API answers 5xx, perhaps before it reached a function. In ApiLog, filter status >= 500: "
            "functionError says why. A function that can't start says so in FunctionsLog.",
            (Metric("AWS/ApiGateway", "5xx", (("ApiId", ref(API)),), "Sum"),),
            above=5,
        ),
        Alarm(
            "SlowCallsAlarm",
            "One call in a hundred takes longer than five seconds. The dashboard shows which tool, and "
            "whether the table throttles; X-Ray shows where a call waits.",
            (of_team(DURATION, "p99"),),
            above=5000,
            times=3,
        ),
    ]


def _about_capacity() -> list[Alarm]:
    return [
        Alarm(
            "RouterThrottledAlarm",
            "Lambda turns calls away. Raise the account's limit of concurrent executions, or the parameter "
            "RouterConcurrency where it is set; a call takes two of them while RouterMode is invoke.",
            (of_function(ROUTER, "Throttles", "Sum"),),
            above=5,
        ),
        *(_throttled(kind) for kind in ("Read", "Write")),
    ]


def _throttled(kind: str) -> Alarm:
    name = f"{kind}ThrottleEvents"
    return Alarm(
        f"Table{kind}sThrottledAlarm",
        f"DynamoDB turns {kind.lower()}s away, of the table or (with IndexAlarms) of an index: the "
        "dashboard shows which. One partition is too busy, or traffic more than doubled at once. Look for "
        "the workspaceId with the most calls in FunctionsLog and lower the rate of its keys; before "
        "traffic that you expect, raise WarmThroughput.",
        (of_table(TABLE, name),),
        above=20,
        if_asked=tuple(of_index(TABLE, index.name, name) for index in INDEXES),
    )


def _about_messages() -> list[Alarm]:
    watched = [queue.name for queue in QUEUES if queue.name not in _ORDERED]
    ages = tuple(of_queue(queue_id(name), "Age") for name in watched)
    weighed = (
        f"m{place}/{_PATIENT[name]}" if name in _PATIENT else f"m{place}"
        for place, name in enumerate(watched)
    )
    return [
        Alarm(
            "DeadLettersAlarm",
            "Messages failed too often and were put aside. The dashboard shows in which queue; read one "
            "there and mend its cause (filter level = 'ERROR' in FunctionsLog). From DeadLetters and "
            "FifoDeadLetters, then start a redrive: each goes back to the queue that it came from. What "
            "is in RelayFailures the sweep has sent meanwhile: purge it.",
            tuple(of_queue(name, "Visible") for name in (RELAY_FAILURES, DEAD_LETTERS, FIFO_DEAD_LETTERS)),
            above=0,
            minutes=1,
        ),
        Alarm(
            "QueueLateAlarm",
            "The oldest message of a queue waits for a quarter of an hour (of tasks for twice "
            "as long). The dashboard shows which queue: either its function fails (filter "
            "service = its name in FunctionsLog), or there are more messages than its instances take.",
            ages,
            above=900,
            expression=f"MAX([{', '.join(weighed)}])",
        ),
        Alarm(
            "RelayLateAlarm",
            "Agents hear of changes more than five minutes late. Either the relay fails (filter service = "
            "'relay' in FunctionsLog) or there are more changes than it can send.",
            (of_function(RELAY, "IteratorAge", "Maximum"),),
            above=300_000,
        ),
    ]


def _about_what_ended() -> list[Alarm]:
    """Whatever is not tried again by itself."""
    return [
        Alarm(
            "WaitsFailAlarm",
            "What waits for an approval or a judge ended without either. Open the failed execution of the "
            "state machine: its last event says why, most often that the queue WaitsQueue took no "
            "message. The sweep starts another one for whatever still waits.",
            # None has a time-out of its own: what is waited for too long goes on by the machine's rules.
            tuple(of_machine(machine_id(name), "ExecutionsFailed") for name in MACHINES),
            above=0,
        ),
        Alarm(
            "GivenUpAlarm",
            "Deliveries or deadlines were given up after their last try. Filter message like 'given up' in "
            "FunctionsLog. A receiver that works again: webhookDeliveries.list status=DEAD_LETTER, then "
            "webhookDeliveries.retry. A deadline: its line names the row and has the traceback.",
            (of_service(DISPATCH, GIVEN_UP, "Sum"), of_service(SWEEP, GIVEN_UP, "Sum")),
            above=0,
        ),
    ]


def _about_the_sweep() -> list[Alarm]:
    return [
        Alarm(
            "SweepAlarm",
            "Nothing that falls due is settled. In ALARM, the minute sweep fails: filter service = "
            "'sweep' in FunctionsLog. In INSUFFICIENT_DATA, it does not run: see whether SweepSchedule is "
            "enabled and its role may invoke the sweep; deploying again restores both. It takes up "
            "everything by itself once it runs again.",
            (of_function(SWEEP, "Errors", "Sum"),),
            above=2,
            tells_of_silence=True,
        ),
    ]
