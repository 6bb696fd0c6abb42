"""Signing in with an account elsewhere: the way there, and the way back."""

from urllib.parse import urlencode

from forge.errors import DomainError, Forbidden, NotFound
from forge.wire import cookies
from forge.wire.http import Response
from functions.oauth.onward import next_path
from functions.oauth.pages import Markup, html, joined, linked, page, sent_on
from functions.oauth.people import attempts, refusals
from functions.oauth.people.attempts import CameTwice, Departure
from functions.oauth.people.browsers import cookies_of, end_former
from functions.oauth.people.entering import WorkspaceUnknown, enter
from functions.oauth.people.id_tokens import BadToken
from functions.oauth.people.providers import ANY_TENANT
from functions.oauth.people.single_sign_on import CodeRefused, SingleSignOn
from functions.oauth.persons import SIGN_IN_PATH
from functions.oauth.visits import Visit

START_PATH = "/oauth/oidc/start"
_COOKIE = "forge_oidc"
_LONGEST_SLUG = 40
_NOTHING = Markup("")


def start(visit: Visit) -> Response:
    """Off to the provider; the browser keeps what it has to bring back."""
    sso, query = _sso(visit), visit.request.query
    attempt = attempts.begin(next_path(query.get("next", "")), _slug(query.get("workspace", "")))
    kept = attempts.sealed(attempt, visit.services.tokens, visit.services.now())
    seconds = int(attempts.LIFETIME.total_seconds())
    return sent_on(sso.address_of(attempt), {"set-cookie": _kept(visit, kept, seconds)})


def come_back(visit: Visit) -> Response:
    sso, query = _sso(visit), visit.request.query
    kept = visit.cookie(_COOKIE) or ""
    tokens, now = visit.services.tokens, visit.services.now()
    attempt = attempts.unsealed(kept, query.get("state", ""), tokens, now)
    if attempt is None:
        raise Forbidden(
            "This sign-in was not begun in this browser, or it took more than ten minutes.",
            hint=f"Begin again at {SIGN_IN_PATH}.",
        )
    try:
        return _let_in(visit, sso, attempt)
    except WorkspaceUnknown as unknown:
        visit.outcome = unknown.code.value
        return _ask_workspace(visit, sso, attempt)
    except DomainError as refusal:
        visit.outcome = refusal.code.value
        return _refused(visit, attempt, refusal)


def way_in(visit: Visit, onward: str) -> Markup:
    """On the page where people sign in; nothing where there is no provider."""
    if visit.sso is None:
        return Markup("")
    slug = _slug(visit.request.query.get("workspace", ""))
    named = html(
        "<details{is_open}><summary>Into another workspace than the last time</summary>{field}</details>",
        is_open=Markup(" open" if slug else ""),
        field=_workspace_field(slug),
    )
    return _form(visit.sso, onward, after=named)


def leads_to(visit: Visit) -> list[str]:
    """What browsers are to be told of the way there: providers lead on to others, wherever those are."""
    if visit.sso is None:
        return []
    return ["https:", "http:"] if visit.sso.provider.is_local else ["https:"]


def _let_in(visit: Visit, sso: SingleSignOn, attempt: Departure) -> Response:
    query, slug = visit.request.query, attempt.workspace or sso.provider.workspace
    if not _is_said_by(sso, query.get("iss")):
        why = "This answer is another provider's."
        refusals.keep_flaw(visit, "another-provider", why, slug, attempt)
        raise Forbidden(why)
    if "error" in query or not query.get("code"):
        raise Forbidden(f"{sso.provider.name} did not sign you in ({query.get('error', 'no code')[:60]}).")
    try:
        identity = sso.identity(query["code"], attempt)
    except CodeRefused:
        raise Forbidden(f"{sso.provider.name} took back what it sent you with. Try again.") from None
    except BadToken as refused:
        refusals.keep_flaw(visit, refused.flaw, "No good token.", slug, attempt)
        raise Forbidden(
            f"What {sso.provider.name} said about you can't be trusted: {refused.flaw}.",
            hint="Try again; if it stays so, an operator looks at the provider's settings.",
        ) from None
    try:
        begun = enter(visit, identity, attempt, sso.provider.workspace)
    except CameTwice:
        refusals.keep_flaw(visit, "replayed-answer", "It was used before.", slug, None)
        raise
    end_former(visit)
    given = f"{cookies_of(visit, begun)}\n{_kept(visit, '', 0)}"
    return sent_on(attempt.onward, {"set-cookie": given})


def _is_said_by(sso: SingleSignOn, said: str | None) -> bool:
    """RFC 9207: an answer that another provider gave is not taken to this one."""
    if ANY_TENANT in sso.provider.issuer:
        # Whose it is, only the token tells.
        return True
    promised = sso.provider.issuer if sso.discovery.metadata().names_issuer else None
    return said in (promised, sso.provider.issuer)


def _refused(visit: Visit, attempt: Departure, refusal: DomainError) -> Response:
    again = f"{SIGN_IN_PATH}?{urlencode({'next': attempt.onward, 'workspace': attempt.workspace})}"
    told = html('<p class="bad" role="alert">{what}</p>', what=refusal.message)
    hint = html("<p>{hint}</p>", hint=linked(refusal.hint or ""))
    link = html('<p><a href="{again}">Sign in another way</a></p>', again=again)
    headers = {"set-cookie": _kept(visit, "", 0)}
    return page(
        "You are not signed in", joined([told, hint, link]), status=refusal.wire.http_status, headers=headers
    )


def _ask_workspace(visit: Visit, sso: SingleSignOn, attempt: Departure) -> Response:
    is_wrong = bool(attempt.workspace)
    told = '<p class="bad" role="alert">There is no such workspace for you.</p>' if is_wrong else ""
    form = _form(sso, attempt.onward, before=_workspace_field(""))
    status = 403 if is_wrong else 200
    return page(
        "Which workspace?", joined([Markup(told), form]), status=status, forms_lead_to=leads_to(visit)
    )


def _form(sso: SingleSignOn, onward: str, *, before: Markup = _NOTHING, after: Markup = _NOTHING) -> Markup:
    return html(
        """<form method="get" action="{action}"><section>{before}
<input type="hidden" name="next" value="{onward}">
<p><button class="main">Sign in with {name}</button></p>{after}</section></form>""",
        action=START_PATH,
        before=before,
        onward=onward,
        name=sso.provider.name,
        after=after,
    )


def _workspace_field(slug: str) -> Markup:
    return html(
        """<label for="workspace">The short name of the workspace</label>
<input id="workspace" name="workspace" type="text" autocomplete="organization" maxlength="40" value="{slug}">
<p class="faint">Whoever invited you knows it.</p>""",
        slug=slug,
    )


def _sso(visit: Visit) -> SingleSignOn:
    sso = visit.sso
    if sso is None:
        raise NotFound("There is no single sign-on here.", hint=f"Sign in with a key at {SIGN_IN_PATH}.")
    return sso


def _slug(given: str) -> str:
    return given.strip().lower()[:_LONGEST_SLUG]


def _kept(visit: Visit, value: str, seconds: int) -> str:
    """Lax: the provider sends the browser back from elsewhere."""
    return cookies.cookie(_COOKIE, value, seconds, is_secure=visit.is_secure, same_site="Lax")
