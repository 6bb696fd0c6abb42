"""The console's session in a browser: a cookie in place of a key, and what proves that the console sent it.

Browsers send a cookie whoever had them send the request. So it counts only together with a header that no
other page can set, whose value no other page can know, from a page of this very server; and for calls of
tools alone, never where MCP is spoken. Loaded with the first request that has a cookie and no key.
"""

from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest

from forge.errors import Forbidden, Unauthorized

SESSION, TOKEN = "forge_session", "forge_csrf"
TOKEN_HEADER = "x-forge-csrf"

_RELOAD = "Load the console again, and sign in there if it asks you to."


def own_name(name: str, *, is_secure: bool) -> str:
    """With the prefix, no other host of the domain can plant one."""
    return f"__Host-{name}" if is_secure else name


def token_of(raw_key: str) -> str:
    """What the console sends along: it follows from the key, and the key does not follow from it."""
    return sha256(f"csrf of {raw_key}".encode()).hexdigest()


def given(raw_key: str, seconds: int, *, is_secure: bool) -> str:
    """The headers that give a browser its session: the key for no script to read, the token for ours."""
    token = token_of(raw_key)
    return "\n".join(
        (
            cookie(SESSION, raw_key, seconds, is_secure=is_secure),
            cookie(TOKEN, token, seconds, is_secure=is_secure, is_read=True),
        )
    )


def taken(*, is_secure: bool) -> str:
    """The cookies that end a browser's session."""
    return "\n".join(cookie(name, "", 0, is_secure=is_secure) for name in (SESSION, TOKEN))


def with_key(headers: Mapping[str, str], public_url: str) -> Mapping[str, str]:
    """The headers of a call, with the key of its cookie where the console sent it; else as they are.

    Raises Forbidden where there is such a cookie and somebody else may have sent the call.
    """
    raw = _only(headers["cookie"], public_url)
    if raw is None:
        return headers
    _require_console(headers, raw, public_url)
    return {**headers, "authorization": f"Bearer {raw}"}


def _only(header: str, public_url: str) -> str | None:
    """The session's cookie. Of two with its name one is somebody else's, and nobody can tell which."""
    name = own_name(SESSION, is_secure=is_https(public_url))
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    found = [value for known, _, value in pairs if known == name]
    if len(found) > 1:
        raise Unauthorized("There are two sessions in this browser.", hint=_RELOAD)
    return found[0] if found else None


def _require_console(headers: Mapping[str, str], raw: str, public_url: str) -> None:
    sent = headers.get(TOKEN_HEADER, "")
    if not compare_digest(sent.encode(), token_of(raw).encode()):
        raise Forbidden(
            f"A browser's session needs the header {TOKEN_HEADER} that goes with it.", hint=_RELOAD
        )
    origin = headers.get("origin", "")
    ours = {public_url, f"{'https' if is_https(public_url) else 'http'}://{headers.get('host', '')}"}
    # Browsers without the second header say the first with every call that changes something.
    if origin not in ours or headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Forbidden("This call was not sent by a page of this server.", hint=_RELOAD)


def is_https(public_url: str) -> bool:
    """A browser keeps no secure cookie of a server on loopback that speaks HTTP."""
    return public_url.startswith("https://")


def cookie(
    name: str,
    value: str,
    seconds: int,
    *,
    is_secure: bool,
    same_site: str = "Strict",
    is_read: bool = False,
) -> str:
    """The header that gives it, or with no seconds takes it away; `is_read` by scripts of ours."""
    said = [
        f"{own_name(name, is_secure=is_secure)}={value}",
        "Path=/",
        f"Max-Age={seconds}",
        f"SameSite={same_site}",
    ]
    said += ["HttpOnly"] * (not is_read) + ["Secure"] * is_secure
    return "; ".join(said)
