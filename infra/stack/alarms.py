"""What somebody has to look at. Each alarm says what to do, and tells the team's topic, if there is one."""

from dataclasses import dataclass

from forge.wire.measures import DURATION, FAILED
from infra.stack.addresses import API
from infra.stack.data import DEAD_LETTERS, FIFO_DEAD_LETTERS, RELAY_FAILURES, TABLE
from infra.stack.functions import RELAY, ROUTER, SWEEP
from infra.stack.metrics import Metric, of_function, of_queue, of_table, of_team
from infra.stack.shapes import Resource, Resources, ref

_MINUTE = 60
_LOGS = "fields requestId, operation, exception | filter level = 'ERROR' in Logs Insights on FunctionsLog"


@dataclass(frozen=True, slots=True)
class Alarm:
    name: str
    says: str
    metric: Metric
    above: float
    minutes: int = 5
    times: int = 1
    """In so many periods in a row."""
    is_silence: bool = False
    """Raised when there are too few, or no figures at all."""


def alarms() -> list[Alarm]:
    return [*_about_calls(), *_about_capacity(), *_about_messages(), *_about_the_sweep()]


def alarm_resources() -> Resources:
    return {alarm.name: _resource(alarm) for alarm in alarms()}


def _resource(alarm: Alarm) -> Resource:
    told = {"Fn::If": ["HasAlarmTopic", [ref("AlarmTopicArn")], ref("AWS::NoValue")]}
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmDescription": alarm.says,
            **alarm.metric.watched(alarm.minutes * _MINUTE),
            "EvaluationPeriods": alarm.times,
            "Threshold": alarm.above,
            "ComparisonOperator": "LessThanThreshold" if alarm.is_silence else "GreaterThanThreshold",
            # What never happened has no figures.
            "TreatMissingData": "breaching" if alarm.is_silence else "notBreaching",
            "AlarmActions": told,
            # Whoever was woken hears, too, that it is over.
            "OKActions": told,
        },
    }


def _about_calls() -> list[Alarm]:
    return [
        Alarm(
            "FailedCallsAlarm",
            f"Calls end in errors of ours. Look for their tracebacks: {_LOGS}. If they began with a "
            "deployment, deploy the build before it.",
            of_team(FAILED, "Sum"),
            above=5,
        ),
        Alarm(
            "ApiFailuresAlarm",
            "The API answers 5xx, perhaps before it reached a function. In ApiLog, filter status >= 500: "
            "functionError says why. A function that can't start says so in FunctionsLog.",
            Metric("AWS/ApiGateway", "5xx", (("ApiId", ref(API)),), "Sum"),
            above=5,
        ),
        Alarm(
            "SlowCallsAlarm",
            "One call in a hundred takes longer than five seconds. The dashboard shows which namespace, and "
            "whether the table throttles; X-Ray shows where a call waits.",
            of_team(DURATION, "p99"),
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
            of_function(ROUTER, "Throttles", "Sum"),
            above=5,
        ),
        *(
            Alarm(
                f"Table{kind}sThrottledAlarm",
                f"DynamoDB turns {kind.lower()}s away. One partition is too busy, or traffic more than "
                "doubled at once: look for the workspaceId with the most calls in FunctionsLog, and lower "
                "the rate of its keys.",
                of_table(TABLE, f"{kind}ThrottleEvents"),
                above=20,
            )
            for kind in ("Read", "Write")
        ),
    ]


def _about_messages() -> list[Alarm]:
    return [
        Alarm(
            f"{RELAY_FAILURES}Alarm",
            "The relay gave up on changes that agents should hear of. The sweep sends them later; find out "
            "why: filter service = 'relay' in FunctionsLog. Then purge the queue.",
            of_queue(RELAY_FAILURES, "Visible"),
            above=0,
            minutes=1,
        ),
        Alarm(
            "DeadLettersAlarm",
            "Messages failed too often and were put aside. Read one in the queue DeadLetters, mend its "
            "cause, then start a redrive: each goes back to the queue that it came from.",
            of_queue(DEAD_LETTERS, "Visible"),
            above=0,
            minutes=1,
        ),
        Alarm(
            "FifoDeadLettersAlarm",
            "Messages about errands failed too often and were put aside. Read one in the queue "
            "FifoDeadLetters, mend its cause, then start a redrive; the sweep sends others meanwhile.",
            of_queue(FIFO_DEAD_LETTERS, "Visible"),
            above=0,
            minutes=1,
        ),
        Alarm(
            "RelayLateAlarm",
            "Agents hear of changes more than five minutes late. Either the relay fails (filter service = "
            "'relay' in FunctionsLog) or there are more changes than it can send.",
            of_function(RELAY, "IteratorAge", "Maximum"),
            above=300_000,
        ),
    ]


def _about_the_sweep() -> list[Alarm]:
    return [
        Alarm(
            "SweepFailsAlarm",
            "The minute sweep fails, so nothing that falls due is settled. In FunctionsLog, filter "
            "service = 'sweep'. The sweep takes up everything by itself once it runs again.",
            of_function(SWEEP, "Errors", "Sum"),
            above=2,
        ),
        Alarm(
            "SweepSilentAlarm",
            "The minute sweep has not run for ten minutes, so nothing that falls due is settled. See whether "
            "SweepSchedule is enabled and its role may invoke the sweep; deploying again restores both.",
            of_function(SWEEP, "Invocations", "Sum"),
            above=1,
            minutes=10,
            is_silence=True,
        ),
    ]
