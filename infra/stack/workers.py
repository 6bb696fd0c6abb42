"""The functions that nobody calls: each takes what a stream, a queue or the clock gives it."""

from typing import Any

from forge.store.physical import MACHINES
from forge.work.background.deliveries.consuming import MOST_AT_ONCE
from infra.stack import policies
from infra.stack.data import RELAY_FAILURES, TABLE, machine_id, queue_id
from infra.stack.functions import (
    DISPATCH,
    DISPATCH_SECONDS,
    ERASURES,
    ERRAND_SECONDS,
    ERRANDS,
    EXPORT_SECONDS,
    EXPORTS,
    RELAY,
    SWEEP,
    SWEEP_SECONDS,
    TASK_SECONDS,
    TASKS,
    WAITING,
    WAITS,
    WORDS,
    Function,
)
from infra.stack.roles import Rights, policy
from infra.stack.shapes import attribute, ref

_ANNOUNCED = '{"dynamodb": {"NewImage": {"outbox_due": {"S": [{"exists": true}]}}}}'
"""Only rows that somebody has to be told about reach the relay."""

CONSUMERS = 10
"""Instances for one queue at most, so that a flood of events leaves the account to those who call."""
EXPORTERS = 2
"""Each reads the whole table: more at once would take its capacity from those who call."""
EXPORT_MEGABYTES = 6 * 1024
"""For a part of an export, and for a page of rows with all their long texts."""


def worker_functions() -> list[Function]:
    return [
        _relay(),
        _dispatch(),
        _waits(),
        _tasks(),
        _errands(),
        _words(),
        _exports(),
        _erasures(),
        _sweep(),
    ]


def _following() -> Rights:
    """Of the relay and of who keeps the words: both follow every change, and room for roles is scarce."""
    rights = [*policies.worker_statements(), *policies.follow_stream(), policies.take_from(WORDS)]
    return Rights("Relay", [policy("Relay", rights)])


def _relay() -> Function:
    return Function(
        RELAY,
        rights=_following(),
        answers_callers=False,
        events={
            "Stream": {
                "Type": "DynamoDB",
                "Properties": {
                    "Stream": attribute(TABLE, "StreamArn"),
                    "StartingPosition": "TRIM_HORIZON",
                    "BatchSize": 100,
                    # Lambda keeps the order of one item alone, and a mark is written once: events say when
                    # they happened.
                    "ParallelizationFactor": 10,
                    "BisectBatchOnFunctionError": True,
                    "MaximumRetryAttempts": 5,
                    "DestinationConfig": {
                        "OnFailure": {"Type": "SQS", "Destination": attribute(RELAY_FAILURES, "Arn")}
                    },
                    "FunctionResponseTypes": ["ReportBatchItemFailures"],
                    "FilterCriteria": {"Filters": [{"Pattern": _ANNOUNCED}]},
                },
            }
        },
    )


def _dispatch() -> Function:
    """A batch is as many messages as it posts at once."""
    return Function(
        DISPATCH,
        megabytes=WAITING,
        rights=Rights("Dispatch", [policy("Dispatch", policies.dispatch_statements(DISPATCH))]),
        seconds=DISPATCH_SECONDS,
        answers_callers=False,
        events=_taking(DISPATCH, at_once=MOST_AT_ONCE),
    )


def _waits() -> Function:
    """The only one that starts executions, and tells them that they need not wait any more."""
    return Function(
        WAITS,
        megabytes=WAITING,
        rights=Rights("Waits", [policy("Waits", policies.waits_statements(WAITS))]),
        seconds=DISPATCH_SECONDS,
        answers_callers=False,
        events=_taking(WAITS, at_once=MOST_AT_ONCE),
        environment={f"FORGE_MACHINE_{name.upper()}": ref(machine_id(name)) for name in MACHINES},
    )


def _tasks() -> Function:
    """Executes what the gateway puts off; it ships with every namespace."""
    return Function(
        TASKS,
        Rights("Tasks", [policy("Tasks", policies.tasks_statements(TASKS))]),
        seconds=TASK_SECONDS,
        code="functions/",
        answers_callers=False,
        events=_taking(TASKS, at_once=1),
    )


def _errands() -> Function:
    """The only worker that changes something on GitHub; what is about one issue is taken in its order."""
    return Function(
        ERRANDS,
        megabytes=WAITING,
        rights=Rights("Errands", [policy("Errands", policies.errands_statements(ERRANDS))]),
        seconds=ERRAND_SECONDS,
        answers_callers=False,
        events=_taking(ERRANDS, at_once=1),
    )


def _words() -> Function:
    """What is about one issue is taken one after the other."""
    return Function(
        WORDS,
        rights=_following(),
        answers_callers=False,
        events=_taking(WORDS, at_once=MOST_AT_ONCE, consumers=2 * CONSUMERS),
    )


def _exports() -> Function:
    """The only one that may read the whole table."""
    return Function(
        EXPORTS,
        Rights("Exports", [policy("Exports", policies.exports_statements(EXPORTS))]),
        seconds=EXPORT_SECONDS,
        answers_callers=False,
        events=_taking(EXPORTS, at_once=1, consumers=EXPORTERS),
        properties={"EphemeralStorage": {"Size": EXPORT_MEGABYTES}},
    )


def _erasures() -> Function:
    """The only one that deletes what others wrote; it looks through the whole table, too."""
    return Function(
        ERASURES,
        Rights("Erasures", [policy("Erasures", policies.erasures_statements(ERASURES))]),
        seconds=EXPORT_SECONDS,
        answers_callers=False,
        events=_taking(ERASURES, at_once=1, consumers=EXPORTERS),
    )


def _taking(queue: str, *, at_once: int, consumers: int = CONSUMERS) -> dict[str, Any]:
    """Takes messages from a queue, and says which of them it could not act on."""
    properties = {
        "Queue": attribute(queue_id(queue), "Arn"),
        "BatchSize": at_once,
        "FunctionResponseTypes": ["ReportBatchItemFailures"],
        "ScalingConfig": {"MaximumConcurrency": consumers},
    }
    return {"Queue": {"Type": "SQS", "Properties": properties}}


def _sweep() -> Function:
    return Function(
        SWEEP,
        Rights(
            "Sweep",
            [
                policy(
                    "Sweep",
                    [
                        *policies.worker_statements(),
                        *policies.mind_keys(),
                        policies.delete_files(),
                    ],
                )
            ],
        ),
        seconds=SWEEP_SECONDS,
        answers_callers=False,
        # Lambda would try a tick that failed twice more, and keep one that it had no room for for six hours.
        properties={"EventInvokeConfig": {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}},
    )
