"""What a URL asks for, taken apart strictly: where two readers could differ, it is refused."""

import re
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from forge.outbound.addresses import NOBODY_ELSE, Disallowed, Exceptions, host_of, require_public_by_name

_PORTS = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024
"""Below it, besides those two, are mail, shells and the like: nothing there speaks HTTP."""
_BEGINNING = re.compile(r"https?://", re.IGNORECASE)
_PORT = re.compile(r"[0-9]{1,5}")
# What a path or a query may hold as it is; everything else is sent percent-encoded.
_LEFT_ALONE = "%/:=&?~+!$,;'@()*[]|^`{}"


class Target(NamedTuple):
    scheme: str
    host: str
    """A name as it is looked up, or an address."""
    port: int
    path: str
    """With the query, as it is sent."""

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """What the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def follow(self, location: str, *, allow: Exceptions = NOBODY_ELSE) -> "Target":
        """Where a redirect leads, judged like any other URL."""
        try:
            url = urljoin(f"{self.scheme}://{self.authority}{self.path}", location)
        except ValueError:
            raise Disallowed("This is no URL.") from None
        return target_of(url, allow=allow)


def target_of(url: str, *, allow: Exceptions = NOBODY_ELSE) -> Target:
    """What the URL asks for, if it may be asked as far as its own words tell; else Disallowed."""
    if not _BEGINNING.match(url):
        raise Disallowed("It must begin with http:// or https://.")
    if "\\" in url or any(ord(character) <= 0x20 or ord(character) == 0x7F for character in url):
        raise Disallowed("It must hold no spaces, control characters or backslashes.")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise Disallowed("This is no URL.") from None
    if "@" in parts.netloc or "%" in parts.netloc:
        raise Disallowed("The host must stand alone: no user, no password, nothing encoded.")
    given, port = _split(parts.netloc)
    host = host_of(given)
    require_public_by_name(host, allow)
    path = _path(parts.path or "/", parts.query)
    return Target(parts.scheme.lower(), host, _port(port, parts.scheme.lower()), path)


def _path(path: str, query: str) -> str:
    try:
        return quote(f"{path}?{query}" if query else path, safe=_LEFT_ALONE)
    except UnicodeEncodeError:
        raise Disallowed("It must hold no halves of characters.") from None


def _split(netloc: str) -> tuple[str, str | None]:
    """The host and the port, each as given."""
    if netloc.startswith("["):
        host, bracket, rest = netloc.partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise Disallowed("This is no URL.")
        return host + bracket, rest[1:] if rest else None
    host, colon, port = netloc.partition(":")
    return host, port if colon else None


def _port(given: str | None, scheme: str) -> int:
    if given is None:
        return _PORTS[scheme]
    port = int(given) if _PORT.fullmatch(given) else 0
    if port not in _PORTS.values() and not _FIRST_FREE_PORT <= port <= 65535:
        raise Disallowed("The port must be 80, 443, or one from 1024 on.")
    return port
