"""The page on which a person signs in: with an account elsewhere, where there is a provider, or by a key."""

from forge.errors import Forbidden, Unauthorized
from forge.wire.http import Response
from functions.oauth.by_key import signed_in_by_key
from functions.oauth.onward import next_path
from functions.oauth.pages import html, joined, page, sent_on
from functions.oauth.people.browsers import cookies_of, end_former, no_cookies
from functions.oauth.people.handlers import leads_to, way_in
from functions.oauth.persons import SIGN_IN_PATH, ask_to_sign_in, require_own_page
from functions.oauth.visits import Visit


def show(visit: Visit) -> Response:
    return sign_in_page(visit, next_path(visit.request.query.get("next", "")))


def sign_in_page(visit: Visit, onward: str, *, refused: str = "", status: int = 200) -> Response:
    parts = [html('<p class="bad" role="alert">{why}</p>', why=refused)] if refused else []
    if visit.sso_problem:
        parts.append(html('<p class="warn">Single sign-on does not work: {why}</p>', why=visit.sso_problem))
    parts.append(way_in(visit, onward))
    parts.append(
        html(
            """<form method="post" action="{action}"><section>
<label for="key">A key of yours</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required
 placeholder="forge_sk_…">
<p class="faint">It is used this once. The browser keeps a session, which <code>keys.list</code> shows as
Browser and which ends by itself.</p>
<input type="hidden" name="next" value="{onward}"><button class="main">Sign in</button></section></form>""",
            action=SIGN_IN_PATH,
            onward=onward,
        )
    )
    return page("Sign in", joined(parts), status=status, forms_lead_to=leads_to(visit))


def sign_in(visit: Visit) -> Response:
    """By a key."""
    require_own_page(visit)
    form = visit.form()
    onward = next_path(form.one("next"))
    try:
        begun = signed_in_by_key(visit, form.one("key").strip())
    except (Unauthorized, Forbidden) as error:
        visit.outcome = error.code.value
        return sign_in_page(visit, onward, refused=error.message, status=error.wire.http_status)
    end_former(visit)
    return sent_on(onward, {"set-cookie": cookies_of(visit, begun)})


def sign_out(visit: Visit) -> Response:
    """The key of the sign-in ends with it."""
    require_own_page(visit)
    onward = next_path(visit.form().one("next"))
    end_former(visit)
    return ask_to_sign_in(onward, {"set-cookie": no_cookies(visit)})
