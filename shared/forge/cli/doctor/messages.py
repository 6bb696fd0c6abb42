"""Messages: what waits in queues and for how long, what nobody could act on, and who is fed."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level
from forge.clock import system_now

QUEUES, AGE, DEAD, FED = "queues", "queue age", "dead letters", "consumers"
_OLD, _TOO_OLD = timedelta(minutes=5), timedelta(hours=1)
_MANY = 1_000
_METRIC_PERIOD = timedelta(minutes=15)
_MISSING = frozenset({"AWS.SimpleQueueService.NonExistentQueue", "QueueDoesNotExist"})
_WITHOUT_STACK = "Say --stack, so that its queues are known."


class QueueFacts(NamedTuple):
    name: str
    is_there: bool
    waiting: int = 0
    dead_letters: str = ""
    """Where messages go that nobody could act on."""


class MappingFacts(NamedTuple):
    function: str
    source: str
    state: str
    last_result: str


def examine_queues(deployment: Deployment) -> Iterator[Finding]:
    if not any(deployment.queues.values()):
        yield Finding(QUEUES, Level.SKIP, "Not looked at: nobody said which.", _WITHOUT_STACK)
        return
    yield from judge_queues(_queues(deployment))


def examine_ages(deployment: Deployment) -> Iterator[Finding]:
    """Apart from the queues themselves: it is CloudWatch that counts, which is a right of its own."""
    if deployment.is_local:
        yield Finding(AGE, Level.SKIP, "Nobody counts it on one machine.")
        return
    waiting = [fact for fact in _queues(deployment) if fact.waiting]
    ages = {fact.name: _oldest(deployment, deployment.queues[fact.name]) for fact in waiting}
    yield from judge_ages(ages)


def examine_dead_letters(deployment: Deployment) -> Iterator[Finding]:
    client = deployment.connections.sqs()
    names = {fact.dead_letters for fact in _queues(deployment) if fact.dead_letters}
    addresses = {name: client.get_queue_url(QueueName=name)["QueueUrl"] for name in names}
    if deployment.failures_queue:
        addresses["RelayFailures"] = deployment.failures_queue
    if addresses:
        counted = [read_queue(deployment, name, url) for name, url in sorted(addresses.items())]
        yield from judge_dead_letters(counted)
    else:
        yield Finding(DEAD, Level.SKIP, "Not looked at: nobody said which.", _WITHOUT_STACK)


def examine_consumers(deployment: Deployment) -> Iterator[Finding]:
    if deployment.is_local:
        yield Finding(FED, Level.SKIP, "On one machine `forge dev` takes messages itself.")
        return
    if not deployment.mappings:
        yield Finding(FED, Level.SKIP, "Not looked at: nobody said which.", _WITHOUT_STACK)
        return
    client = deployment.connections.functions()
    answers: list[Any] = [client.get_event_source_mapping(UUID=one) for one in deployment.mappings]
    yield from judge_consumers(
        [
            MappingFacts(
                one["FunctionArn"].split(":")[6],
                one["EventSourceArn"].split(":")[5],
                one.get("State", ""),
                one.get("LastProcessingResult", ""),
            )
            for one in answers
        ]
    )


def _queues(deployment: Deployment) -> list[QueueFacts]:
    return [read_queue(deployment, name, url) for name, url in deployment.queues.items() if url]


def read_queue(deployment: Deployment, name: str, url: str) -> QueueFacts:
    client = deployment.connections.sqs()
    try:
        answer: Any = client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
    except client.exceptions.ClientError as error:
        if error.response["Error"]["Code"] in _MISSING:
            return QueueFacts(name, is_there=False)
        raise
    told = answer["Attributes"]
    waiting = int(told["ApproximateNumberOfMessages"])
    redrive = json.loads(told.get("RedrivePolicy", "{}"))
    return QueueFacts(name, True, waiting, redrive.get("deadLetterTargetArn", "").rpartition(":")[2])


def _oldest(deployment: Deployment, url: str) -> timedelta | None:
    """SQS itself does not tell; its metric does, some minutes late."""
    now = system_now()
    answer: Any = deployment.connections.connect("cloudwatch").get_metric_statistics(
        Namespace="AWS/SQS",
        MetricName="ApproximateAgeOfOldestMessage",
        Dimensions=[{"Name": "QueueName", "Value": url.rpartition("/")[2]}],
        StartTime=now - _METRIC_PERIOD,
        EndTime=now,
        Period=60,
        Statistics=["Maximum"],
    )
    points = sorted(answer["Datapoints"], key=lambda point: point["Timestamp"])
    return timedelta(seconds=points[-1]["Maximum"]) if points else None


def judge_queues(facts: list[QueueFacts]) -> Iterator[Finding]:
    problems = [finding for fact in facts if (finding := _problem_of(fact))]
    yield from problems
    if not problems:
        waiting = sum(fact.waiting for fact in facts)
        yield Finding(QUEUES, Level.OK, f"All {len(facts)} are there; {waiting} messages wait.")


def _problem_of(fact: QueueFacts) -> Finding | None:
    if not fact.is_there:
        return Finding(
            QUEUES,
            Level.FAIL,
            f"{fact.name} is missing: what is sent to it waits for the sweep, and is not taken then, either.",
            "Deploy the stack again; on one machine, start `forge dev` again.",
        )
    if fact.waiting < _MANY:
        return None
    return Finding(QUEUES, Level.WARN, f"{fact.waiting} messages wait in {fact.name}.", _look(fact.name))


def judge_ages(ages: dict[str, timedelta | None]) -> Iterator[Finding]:
    """By queue, how long its oldest message waits; None where nobody has counted yet."""
    old = {name: age for name, age in ages.items() if age is not None and age >= _OLD}
    for name, age in old.items():
        yield Finding(
            AGE,
            Level.FAIL if age >= _TOO_OLD else Level.WARN,
            f"The oldest message in {name} waits for {int(age.total_seconds() // 60)} minutes.",
            _look(name),
        )
    if not old:
        yield Finding(AGE, Level.OK, "Nothing waits for longer than five minutes.")


def _look(queue: str) -> str:
    return f"Look at the log of the function {queue}: it fails, is throttled, or has too much to do."


def judge_dead_letters(facts: list[QueueFacts]) -> Iterator[Finding]:
    holding = [fact for fact in facts if fact.waiting]
    for fact in holding:
        yield Finding(
            DEAD,
            Level.FAIL,
            f"{fact.waiting} messages in {fact.name} were given up.",
            "The log of their function says why. When it works again, send them back: `aws sqs "
            f"start-message-move-task --source-arn <ARN of {fact.name}>`.",
        )
    if not holding:
        yield Finding(DEAD, Level.OK, "There are none.")


def judge_consumers(facts: list[MappingFacts]) -> Iterator[Finding]:
    off = [fact for fact in facts if fact.state not in ("Enabled", "Enabling", "Updating", "Creating")]
    for fact in off:
        yield Finding(
            FED,
            Level.FAIL,
            f"{fact.function} is not fed from {fact.source}: {fact.state or 'unknown'}.",
            "Somebody switched it off: `aws lambda update-event-source-mapping --enabled`, or deploy again.",
        )
    failing = [fact for fact in facts if fact not in off and "PROBLEM" in fact.last_result.upper()]
    for fact in failing:
        yield Finding(
            FED,
            Level.WARN,
            f"{fact.function} last got this from {fact.source}: {fact.last_result}.",
            "Look at the function's log.",
        )
    if not off and not failing:
        yield Finding(FED, Level.OK, f"All {len(facts)} are on.")
