"""Which page or endpoint answers what, and how each of them fails."""

from collections.abc import Callable, Mapping
from time import perf_counter
from urllib.parse import urlencode

from forge.auth.entrance import KeyCheck
from forge.errors import DomainError, ErrorCode, NotFound
from forge.wire.http import Request, Response, error_headers, error_response, json_response
from forge.wire.paths import OAUTH_DOCUMENTS
from forge.wire.sign_in import Ground
from functions.oauth import (
    authorizing,
    grants_page,
    metadata,
    registering,
    replies,
    revoking,
    signing_in,
    tokens,
    workers_page,
)
from functions.oauth.consent_page import CONSENT_PATH
from functions.oauth.grants_page import END_PATH
from functions.oauth.metadata import AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH
from functions.oauth.onward import GRANTS_PATH
from functions.oauth.pages import problem, sent_on
from functions.oauth.people import console, handlers
from functions.oauth.people.deployed import Deployed
from functions.oauth.people.single_sign_on import CALLBACK_PATH
from functions.oauth.persons import SIGN_IN_PATH, SIGN_OUT_PATH
from functions.oauth.visits import Visit
from functions.oauth.workers_page import WORKERS_PATH

Handler = Callable[[Visit], Response]

_RESOURCE, _SERVER = OAUTH_DOCUMENTS

PAGES: Mapping[str, Mapping[str, Handler]] = {
    SIGN_IN_PATH: {"GET": signing_in.show, "POST": signing_in.sign_in},
    SIGN_OUT_PATH: {"POST": signing_in.sign_out},
    AUTHORIZE_PATH: {"GET": authorizing.ask},
    CONSENT_PATH: {"POST": authorizing.answer},
    GRANTS_PATH: {"GET": grants_page.show},
    END_PATH: {"POST": grants_page.end},
    WORKERS_PATH: {"POST": workers_page.make},
    handlers.START_PATH: {"GET": handlers.start},
    CALLBACK_PATH: {"GET": handlers.come_back},
}
"""What people see: whatever fails there is a page, too."""
ENDPOINTS: Mapping[str, Mapping[str, Handler]] = {
    _RESOURCE: {"GET": metadata.resource, "OPTIONS": metadata.preflight},
    _SERVER: {"GET": metadata.server, "OPTIONS": metadata.preflight},
    REGISTER_PATH: {"POST": registering.register, "OPTIONS": metadata.preflight},
    TOKEN_PATH: {"POST": tokens.give, "OPTIONS": metadata.preflight},
    REVOKE_PATH: {"POST": revoking.revoke, "OPTIONS": metadata.preflight},
    console.SESSION_PATH: {"GET": console.ways, "POST": console.exchange, "DELETE": console.leave},
}
"""What programs ask."""
_OF_THE_PROTOCOL = frozenset({REGISTER_PATH, TOKEN_PATH, REVOKE_PATH})
"""There clients look for `error` among the words that they know, and some give up at any other."""
_IN_ITS_WORDS: Mapping[ErrorCode, tuple[str, int]] = {
    ErrorCode.RATE_LIMITED: ("temporarily_unavailable", 429),
    ErrorCode.CONFLICT: ("temporarily_unavailable", 503),
    ErrorCode.UNAVAILABLE: ("temporarily_unavailable", 503),
    ErrorCode.INTERNAL: ("server_error", 500),
}


def open_face(ground: Ground) -> "Face":
    return Face(ground)


class Face:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._gate = KeyCheck(ground.keys, ground.services.tokens)
        self._deployed = Deployed(ground.settings, ground.services)

    def serve(self, request: Request) -> Response:
        started, now = perf_counter(), self._ground.services.now()
        visit = Visit(request, self._ground, self._gate, self._deployed)
        try:
            return self._ground.journal.shielded(request.id, self._answer, visit)
        except DomainError as error:
            response = _failed(visit, error)
            visit.outcome = error.code.value
            return response
        finally:
            self._ground.journal.record(
                request.id,
                visit.operation if request.path in PAGES or request.path in ENDPOINTS else "oauth",
                door="oauth",
                outcome=visit.outcome,
                now=now,
                started=started,
                caller=visit.who,
            )

    def _answer(self, visit: Visit) -> Response:
        request = visit.request
        methods = PAGES.get(request.path) or ENDPOINTS.get(request.path)
        if methods is None:
            raise NotFound(f"There is nothing at {request.path[:100]}.", hint="Sign in at /oauth/sign-in.")
        method = "GET" if request.method == "HEAD" else request.method
        handler = methods.get(method)
        if handler is None:
            allowed = ", ".join(methods)
            refused = error_response(NotFound(f"{request.path} answers {allowed}."), request.id)
            return json_response(405, refused.body, {"allow": allowed})
        if method == "GET" and request.path in PAGES and visit.is_by_another_name:
            return sent_on(f"{visit.at}{request.path}?{urlencode(request.query)}")
        return handler(visit)


def _failed(visit: Visit, error: DomainError) -> Response:
    request = visit.request
    hint = f"{error.hint} " if error.hint else ""
    if request.path in PAGES:
        return problem(error.wire.http_status, "That did not work", error.message, f"{hint}({request.id})")
    if request.path not in _OF_THE_PROTOCOL:
        return error_response(error, request.id)
    name, status = _IN_ITS_WORDS.get(error.code, ("invalid_request", error.wire.http_status))
    why = f"{error.message} {hint}({request.id})"
    return replies.refused(visit, name, why, status=status, headers=error_headers(error))
