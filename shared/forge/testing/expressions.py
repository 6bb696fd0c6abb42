"""The engine reads an expression anew for every item that it looks at: here each is read once.

On a partition of five thousand rows that is the difference between a second and a few hundred milliseconds.
"""

from functools import lru_cache

from ministack.services import dynamodb

_KEPT = 4_096
_READERS = ("_tokenize", "_condition_syntax_error")
"""Each depends on its arguments alone, and nobody changes what it returns."""


def read_each_once() -> None:
    """Doing it again does no harm."""
    for name in _READERS:
        reader = getattr(dynamodb, name)
        if not hasattr(reader, "cache_info"):
            setattr(dynamodb, name, lru_cache(maxsize=_KEPT)(reader))
