"""Protection against DNS rebinding for a server that listens on loopback."""

from collections.abc import Mapping

from forge.errors import Forbidden

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def require_host(headers: Mapping[str, str], allowed: frozenset[str]) -> None:
    """Refuse a page elsewhere that made a browser call us under its own name."""
    for header, url in (("host", f"//{headers.get('host', '')}"), ("origin", headers.get("origin", ""))):
        if header in headers and _hostname(url) not in allowed:
            raise Forbidden(
                f"The {header} header names a host that this server does not answer to.",
                hint=f"Use one of: {', '.join(sorted(allowed))}.",
            )


def _hostname(url: str) -> str | None:
    from urllib.parse import urlsplit  # only a server on loopback asks, and the router starts without it

    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    # A name before an @ is a user's, which no browser sends here.
    return parts.hostname if "@" not in parts.netloc else None
