"""Legacy JSON-RPC batches: bounded in number, in parallelism and in time."""

from collections.abc import Callable, Sequence

from forge import deadline
from forge.errors import Unavailable
from forge.wire.protocol import ProtocolError, RequestId, error_body

MAX_BATCH = 20
MAX_PARALLEL = 5

Item = tuple[RequestId, Callable[[], str]]


def run_batch(items: Sequence[Item], request_id: str) -> list[str]:
    """The answers in the order of the items; notifications have an empty one and are left out."""
    if len(items) == 1:
        answers = [items[0][1]()]
    else:
        answers = _run_parallel(items, request_id)
    return [answer for answer in answers if answer]


def _run_parallel(items: Sequence[Item], request_id: str) -> list[str]:
    # Only batches need threads, and few callers send batches.
    from concurrent.futures import ThreadPoolExecutor, wait
    from contextvars import copy_context

    pool = ThreadPoolExecutor(max_workers=MAX_PARALLEL, thread_name_prefix="batch")
    try:
        futures = [pool.submit(copy_context().run, work) for _, work in items]
        finished, _ = wait(futures, timeout=min(deadline.CALL_SECONDS, deadline.seconds_left()))
        return [
            future.result() if future in finished else _late(item_id, request_id)
            for future, (item_id, _) in zip(futures, items, strict=True)
        ]
    finally:
        # A call under way can't be stopped; those not begun must not start after the answer is sent.
        pool.shutdown(wait=False, cancel_futures=True)


def _late(item_id: RequestId, request_id: str) -> str:
    error = Unavailable(
        "The batch took too long; this call may or may not have taken effect.",
        hint="Repeat it with the same idempotency key, in a smaller batch.",
    )
    wrapped = ProtocolError(error.wire.rpc_code, error.message, error.as_object(request_id))
    return "" if item_id is None else error_body(item_id, wrapped)
