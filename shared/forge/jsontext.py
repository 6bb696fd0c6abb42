"""JSON in and out, with the holes of the standard parser closed."""

import json
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring
from typing import Any

MAX_DEPTH = 64

encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode
encode_ascii = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
"""For those who carry JSON and do not take every character: SQS takes neither U+FFFE nor halves of pairs."""
quote = encode_basestring
"""One text as JSON; what `encode` does for it, without asking what it is."""


class BadJson(ValueError):
    """The text is not JSON that this server takes; the message says where or why."""


def decode(text: str | bytes) -> Any:
    """Parse strictly: no NaN, no infinities, no lone surrogates, no deep nesting."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        value = _parse(text)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise BadJson("the body is not UTF-8") from None
    except BadJson:
        raise
    except json.JSONDecodeError as error:
        raise BadJson(str(error)[:200]) from None
    except ValueError:
        # Of all that the parser calls, only int() refuses its text.
        raise BadJson("it has a number with thousands of digits; send such a one as text") from None
    # An object takes five characters, the innermost two: so short a text is deep only with many lists.
    lists = text.count("[")
    if lists + (len(text) + 3) // 5 > MAX_DEPTH and lists + text.count("{") > MAX_DEPTH:
        _require_shallow(value)
    # One character is found in a tenth of the time that two take, and most bodies have no escapes at all.
    if "\\" in text and ("\\ud" in text or "\\uD" in text):
        _require_encodable(encode(value))
    elif not text.isascii():
        _require_encodable(text)
    return value


def _parse(text: str) -> Any:
    """Straight to the scanner; the decoder proper only where there is white space around, or an error."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        return _decoder.decode(text)
    return value if end == len(text) else _decoder.decode(text)


def _refuse_constant(name: str) -> None:
    raise BadJson(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise BadJson(f"the number {text[:40]} is out of range")
    return number


_decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_scan: Callable[[str, int], tuple[Any, int]] = _decoder.scan_once  # type: ignore[attr-defined]  # not in the stub


def _too_deep() -> BadJson:
    return BadJson(f"the body is nested deeper than {MAX_DEPTH} levels")


def _require_shallow(value: object) -> None:
    level = _containers([value])
    for _ in range(MAX_DEPTH):
        if not level:
            return
        level = [inner for outer in level for inner in _containers(_children(outer))]
    if level:
        raise _too_deep()


def _containers(values: Iterable[object]) -> list[dict[str, object] | list[object]]:
    return [value for value in values if isinstance(value, dict | list)]


def _children(value: dict[str, object] | list[object]) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


def _require_encodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadJson("the body holds half of a surrogate pair") from None
