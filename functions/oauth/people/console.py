"""What the console asks of signing in: which ways there are, cookies for a key, and the end of a session."""

from forge.context import Door
from forge.errors import NotFound, Unauthorized
from forge.jsontext import encode
from forge.wire import cookies
from forge.wire.http import Response, json_response
from functions.oauth.by_key import signed_in_by_key
from functions.oauth.people.browsers import cookies_of, end_key, no_cookies
from functions.oauth.people.handlers import START_PATH
from functions.oauth.persons import require_own_page
from functions.oauth.visits import Visit

SESSION_PATH = "/oauth/session"
_BEARER = "bearer "


def ways(visit: Visit) -> Response:
    """How people sign in here; nobody has to be signed in to be told."""
    sso = visit.sso
    told = {"name": sso.provider.name, "start": START_PATH} if sso else None
    return json_response(200, encode({"singleSignOn": told}), {"cache-control": "no-store"})


def exchange(visit: Visit) -> Response:
    """A key that was pasted, for cookies that no script reads."""
    require_own_page(visit)
    if visit.sso is None:
        raise NotFound("There is no single sign-on here, so the console keeps the key itself.")
    header = visit.request.headers.get("authorization", "")
    raw = header[len(_BEARER) :].strip() if header.lower().startswith(_BEARER) else ""
    begun = signed_in_by_key(visit, raw)
    return _answered(cookies_of(visit, begun))


def leave(visit: Visit) -> Response:
    """The key of the session ends, and the browser forgets it; also where it has ended before."""
    try:
        _end_session(visit)
    except Unauthorized:
        visit.outcome = "over"
    return _answered(no_cookies(visit))


def _end_session(visit: Visit) -> None:
    """That of the cookie: a key that is merely sent goes on."""
    headers = {name: value for name, value in visit.request.headers.items() if name != "authorization"}
    if "cookie" in headers:
        headers = {**cookies.with_key(headers, visit.services.public_url)}
    visit.who = visit.gate.admit(headers, Door.REST, visit.services.now())
    end_key(visit, visit.who)


def _answered(given: str) -> Response:
    return json_response(200, "{}", {"set-cookie": given, "cache-control": "no-store"})
