"""The physical description: table, indexes, stream, bucket, queues, state machines.

Local runs and the template read it.
"""

from dataclasses import dataclass
from typing import Any

PARTITION, SORT, TTL = "pk", "sk", "ttl"


@dataclass(frozen=True, slots=True)
class Index:
    """A sparse index: an item is in it when it has both attributes."""

    name: str
    projects_all: bool
    purpose: str

    @property
    def partition(self) -> str:
        return f"{self.name}Pk"

    @property
    def sort(self) -> str:
        return f"{self.name}Sk"


INDEXES = (
    Index("board", projects_all=True, purpose="issues by state, priority and age"),
    Index(
        "updated", projects_all=True, purpose="aggregates of a kind by last change; log rows about an issue"
    ),
    Index("project", projects_all=True, purpose="issues of a project"),
    Index("agent", projects_all=True, purpose="issues and runs of an agent"),
    Index(
        "subject", projects_all=True, purpose="what belongs to one subject: its log rows, its runs, its parts"
    ),
    Index("due", projects_all=False, purpose="whatever has a deadline"),
)
INDEX_BY_NAME = {index.name: index for index in INDEXES}


@dataclass(frozen=True, slots=True)
class Queue:
    """`visibility_seconds` is six times the time-out of the function that consumes it."""

    name: str
    visibility_seconds: int
    is_fifo: bool = False
    max_receive_count: int = 20

    @property
    def ending(self) -> str:
        """What SQS wants at the end of the names of queues that keep an order."""
        return ".fifo" if self.is_fifo else ""


QUEUES = (
    Queue("dispatch", visibility_seconds=180),
    Queue("waits", visibility_seconds=180),
    Queue("tasks", visibility_seconds=1800),
    Queue("errands", visibility_seconds=360, is_fifo=True),
    Queue("words", visibility_seconds=180, is_fifo=True),
    Queue("exports", visibility_seconds=5400),
    Queue("erasures", visibility_seconds=5400),
)

MACHINES = ("plan_approval", "step_judging")
"""The state machines: each is defined in `infra/statemachines`, and sends to the queue `waits` alone."""


ANSWERS = "idempotency/"
"""Before the names of kept answers in the bucket."""
ANSWER_DAYS = 2
"""How long the bucket keeps them: a record counts for one day, and S3 looks once a day."""
UPLOADS = "uploads/"
"""Before the names of what is sent and not taken in yet; the bucket keeps it as long as answers."""
EXPORTS = "exports/"
"""Before the names of what was exported."""
EXPORT_DAYS = 7
RUN_LOGS = "runs/"
"""Before the names of what was said in runs."""
RUN_LOG_DAYS = 30
EXPIRIES = {ANSWERS: ANSWER_DAYS, UPLOADS: ANSWER_DAYS, EXPORTS: EXPORT_DAYS, RUN_LOGS: RUN_LOG_DAYS}
"""After how many days the bucket lets go of what has such a name."""


def table_definition() -> dict[str, Any]:
    """The table as CreateTable and CloudFormation both take it, apart from its name."""
    attributes = [PARTITION, SORT]
    for index in INDEXES:
        attributes += [index.partition, index.sort]
    return {
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in attributes],
        "KeySchema": _key_schema(PARTITION, SORT),
        "GlobalSecondaryIndexes": [
            {
                "IndexName": index.name,
                "KeySchema": _key_schema(index.partition, index.sort),
                "Projection": {"ProjectionType": "ALL" if index.projects_all else "KEYS_ONLY"},
            }
            for index in INDEXES
        ],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamViewType": "NEW_IMAGE"},
    }


def _key_schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]
