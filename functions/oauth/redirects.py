"""Where a browser may be sent with an answer: pure rules about addresses.

One is compared as it was registered, letter by letter. Only the port of a program on the person's own machine
is free: it takes whichever is, when it asks.
"""

import re
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_FORBIDDEN = frozenset({"javascript", "data", "file", "vbscript", "blob", "about", "ftp", "ws", "wss"})
_PRIVATE_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+.-]+)?")
_MOST = 2_000
_PORT = re.compile(r":[0-9]{1,5}$")


class Redirect(NamedTuple):
    url: str
    host: str
    """As it is shown to people: the host, or the scheme of a program's own."""
    is_loopback: bool
    is_private_scheme: bool


def problem_with(url: str) -> str | None:
    """Why nobody may be sent there; None where somebody may."""
    if len(url) > _MOST or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return "It must be an address of printable ASCII characters."
    parts = _split(url)
    if parts is None:
        return "It is no address."
    if "#" in url or "@" in parts.netloc:
        return "It must have neither a fragment nor a user."
    if parts.scheme == "https":
        return None if parts.hostname else "It has no host."
    if parts.scheme == "http":
        return None if _host(parts) in LOOPBACK else "http is for this machine alone: use https."
    if parts.scheme in _FORBIDDEN or not _PRIVATE_SCHEME.fullmatch(parts.scheme):
        return f"The scheme {parts.scheme[:20]!r} leads to no program."
    return None


def is_registered(asked: str, registered: list[str]) -> bool:
    if problem_with(asked) is not None:
        return False
    return any(asked == one or _without_port(asked) == _without_port(one) is not None for one in registered)


def redirect_of(url: str) -> Redirect:
    """Of one that nothing is wrong with."""
    parts = urlsplit(url)
    is_private = parts.scheme not in ("http", "https")
    host = f"{parts.scheme}:" if is_private else _host(parts)
    return Redirect(url, host, host in LOOPBACK, is_private)


def form_targets(redirect: Redirect) -> list[str]:
    """What a page's policy says of where its form's answer leads; some lead on from there."""
    if redirect.is_private_scheme:
        return [redirect.host]
    return ["https:", "http:"] if redirect.is_loopback else ["https:"]


def _without_port(url: str) -> str | None:
    """The address of a program on this machine, whatever its port; None of others."""
    parts = _split(url)
    if parts is None or parts.scheme != "http" or _host(parts) not in LOOPBACK:
        return None
    return url.replace(parts.netloc, _host(parts), 1)


def _host(parts: SplitResult) -> str:
    return _PORT.sub("", parts.netloc).lower()


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme else None
