"""Whether the services behind a store answer, asked once each and without patience.

It needs no right that tools do not have: whoever is refused one was answered, and by something that is there.
"""

from collections.abc import Callable
from time import monotonic

from forge.store.answers import NoAnswer, Refused
from forge.store.botocore_calls import in_our_words
from forge.store.keys import workspace_prefix
from forge.store.physical import PARTITION, SORT
from forge.store.store import Store

SECONDS = 4.0
"""After that nothing more is asked; what is being asked takes three seconds at most."""

_NOBODY = workspace_prefix("-") + "PROBE"
"""Where nothing is stored, in the table and in the bucket."""
_THERE = frozenset({"AccessDenied", "AccessDeniedException", "NoSuchKey"})


def answering(store: Store, *, clock: Callable[[], float] = monotonic) -> dict[str, bool]:
    """By name, whether it answers; what there was no time for does not."""
    over_at = clock() + SECONDS
    return {name: clock() < over_at and _answers(ask) for name, ask in _questions(store).items()}


def _questions(store: Store) -> dict[str, Callable[[], object]]:
    table, blobs, queues = store.table, store.blobs, store.queues
    key = {name: {"S": _NOBODY} for name in (PARTITION, SORT)}
    url = next((one for one in queues.urls.values() if one), "")
    return {
        "table": lambda: table.client.ask("GetItem", {"TableName": table.name, "Key": key}),
        "bucket": lambda: blobs.client.get_object(Bucket=blobs.bucket, Key=_NOBODY, Range="bytes=0-0"),
        **(
            {"queues": lambda: queues.client.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])}
            if url
            else {}
        ),
    }


def _answers(ask: Callable[[], object]) -> bool:
    try:
        in_our_words(ask)()
    except Refused as refusal:
        return refusal.code in _THERE
    except NoAnswer:
        return False
    return True
