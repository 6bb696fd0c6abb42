"""The page on which a person says yes or no: who asks, as whom, what for, and for how long."""

from typing import NamedTuple

from forge.contract.terms import Scope
from forge.wire.http import Response
from functions.oauth import redirects
from functions.oauth.choices import DAYS, ME, NEW, USUAL_DAYS, Offer
from functions.oauth.clients import FORGE_CLI, Client
from functions.oauth.forms import Form
from functions.oauth.pages import Markup, html, joined, page
from functions.oauth.persons import SIGN_OUT_PATH, Person
from functions.oauth.redirects import Redirect
from functions.oauth.scopes import MEANINGS

CONSENT_PATH = "/oauth/consent"
_AS, _DAYS = "as", "days"


class Question(NamedTuple):
    client: Client
    redirect: Redirect
    person: Person
    offer: Offer
    consent_id: str
    again: str
    """Where it is asked anew, of somebody else."""
    refused: str = ""
    """Why the answer before was none; what was chosen with it stays chosen."""
    chosen: Form = Form()

    def is_chosen(self, name: str, value: str, *, at_first: bool) -> Markup:
        """Of a box or an option, whether it is ticked or picked: as it was sent, or as it is at first."""
        is_on = value in self.chosen.get(name, ()) if self.refused else at_first
        word = "selected" if name in (_AS, _DAYS) else "checked"
        return Markup(f" {word}" if is_on else "")


def show(asked: Question, *, status: int = 200) -> Response:
    body = joined(
        [
            *([html('<p class="bad" role="alert">{why}</p>', why=asked.refused)] if asked.refused else []),
            _who(asked),
            html(
                """<form method="post" action="{action}">
<input type="hidden" name="consent" value="{consent_id}">{parts}
<div class="row"><button class="main" name="answer" value="yes">Let it in</button>
<button name="answer" value="no">No</button></div></form>{leave}""",
                action=CONSENT_PATH,
                consent_id=asked.consent_id,
                parts=joined([_as_whom(asked), _scopes(asked), _projects(asked), _days(asked)]),
                leave=_leave(asked),
            ),
        ]
    )
    # An answer leads on to the client, and browsers hold a form to that.
    return page("Let it in?", body, status=status, forms_lead_to=redirects.form_targets(asked.redirect))


def _who(asked: Question) -> Markup:
    known = asked.client.known
    redirect = asked.redirect
    target = html("<strong>{host}</strong>", host=redirect.host)
    if redirect.is_private_scheme:
        target = html("whichever program opens {addresses} addresses", addresses=target)
    if known.id == FORGE_CLI:
        proof = html("<p>This is Forge's own program.</p>")
    elif known.host:
        proof = html("<p>It is known by <strong>{host}</strong>, which vouches for it.</p>", host=known.host)
    else:
        proof = html(
            """<p>It calls itself that: <strong>nobody has checked its name</strong>. What counts is where
your answer goes.</p>"""
        )
    return html(
        """<section class="who"><p><strong>{name}</strong> wants to work in
<strong>{workspace}</strong>.</p>{proof}
<p>Your answer goes to {target}.</p>{warning}</section>""",
        name=known.name,
        workspace=asked.person.workspace.name,
        proof=proof,
        target=target,
        warning=_warning(redirect),
    )


def _warning(redirect: Redirect) -> Markup:
    if not (redirect.is_loopback or redirect.is_private_scheme):
        return Markup("")
    return html(
        """<p class="warn">That is a program on the computer in front of you, and any program there could
ask in this name. Go on only if you have just started it yourself.</p>"""
    )


def _as_whom(asked: Question) -> Markup:
    offer, person = asked.offer, asked.person
    if not offer.agents and not offer.may_make_agents:
        return html(
            """<fieldset><legend>As whom</legend><p>As you, <strong>{name}</strong>.</p>
<input type="hidden" name="as" value="{me}"></fieldset>""",
            name=person.name,
            me=ME,
        )
    whom = {ME: f"Me: {person.name}", **{one.id: one.name for one in offer.agents}}
    made = Markup("")
    if offer.may_make_agents:
        whom[NEW] = "A new agent…"
        said = asked.chosen.get("agent_name") or [asked.client.known.name[:60]]
        made = html(
            """<div class="new"><label for="agent_name">The new agent's name</label>
<input type="text" id="agent_name" name="agent_name" maxlength="60" value="{name}"></div>""",
            name=said[0],
        )
    options = [
        html(
            '<option value="{id}"{chosen}>{name}</option>',
            id=one,
            name=name,
            chosen=asked.is_chosen(_AS, one, at_first=one == ME),
        )
        for one, name in whom.items()
    ]
    return html(
        """<fieldset><legend>As whom</legend><label for="as">It acts as</label>
<select id="as" name="as">{options}</select>
<p class="faint">What it does stands in the log under this name.</p>{made}</fieldset>""",
        options=joined(options),
        made=made,
    )


def _scopes(asked: Question) -> Markup:
    boxes = [
        html(
            """<label><input type="checkbox" name="scope" value="{scope}"{checked}> {meaning}
<small>{scope}</small></label>""",
            scope=one,
            meaning=MEANINGS[Scope(one)],
            checked=asked.is_chosen("scope", one, at_first=one in asked.offer.chosen),
        )
        for one in asked.offer.scopes
    ]
    told = joined(boxes) if boxes else html('<p class="warn">You have nothing of what it asks for.</p>')
    return html("<fieldset><legend>It may</legend>{boxes}</fieldset>", boxes=told)


def _projects(asked: Question) -> Markup:
    if not asked.offer.projects:
        return Markup("")
    boxes = [
        html(
            '<label><input type="checkbox" name="project" value="{id}"{checked}> {name}</label>',
            id=one.id,
            name=one.name,
            checked=asked.is_chosen("project", one.id, at_first=False),
        )
        for one in asked.offer.projects
    ]
    return html(
        """<fieldset><legend>Projects</legend><p class="faint">None ticked: all that you see.</p>
{boxes}</fieldset>""",
        boxes=joined(boxes),
    )


def _days(asked: Question) -> Markup:
    options = [
        html(
            '<option value="{days}"{chosen}>{days} {word}</option>',
            days=one,
            word="day" if one == 1 else "days",
            chosen=asked.is_chosen(_DAYS, str(one), at_first=one == USUAL_DAYS),
        )
        for one in DAYS
    ]
    return html(
        """<fieldset><legend>For how long</legend>
<select name="days" aria-label="For how long">{options}</select>
<p class="faint">You can end it at any time, under <a href="/oauth/grants">what you let in</a>.</p>
</fieldset>""",
        options=joined(options),
    )


def _leave(asked: Question) -> Markup:
    return html(
        """<form method="post" action="{path}"><input type="hidden" name="next" value="{again}">
<p class="faint">Another workspace, or somebody else? <button>Sign in anew</button></p></form>""",
        path=SIGN_OUT_PATH,
        again=asked.again,
    )
