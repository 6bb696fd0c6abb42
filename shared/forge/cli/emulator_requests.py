"""Which requests to the embedded AWS change nothing, so that nothing has to be saved for them."""

from collections.abc import Iterable

_TARGET = b"x-amz-target"
_READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# A message that was received is only hidden for a while; forgetting that shows it again, as SQS may anyway.
_READING_OPERATIONS = ("BatchGet", "Describe", "Get", "List", "Query", "Receive", "Scan", "TransactGet")


def may_change(method: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whatever is not known to read counts as a change: saving once too often loses nothing."""
    target = next((value.decode("latin-1") for name, value in headers if name.lower() == _TARGET), None)
    if target is None:
        return method not in _READING_METHODS
    operation = target.rpartition(".")[2]
    return not operation.startswith(_READING_OPERATIONS)
