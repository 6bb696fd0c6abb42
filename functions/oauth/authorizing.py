"""`/oauth/authorize` and `/oauth/consent`: from what a client asks to what a person has answered.

Until the client and where its answer goes are known, whatever is wrong is told here, on a page: nobody is
sent to an address that somebody made up. After that the client is told, by a redirect that names this server.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from authlib.oauth2.base import OAuth2Error
from authlib.oauth2.rfc6749 import AccessDeniedError

from forge.auth.keys import hash_of
from forge.errors import DomainError, Forbidden, InvalidInput
from forge.store.transactions import decided_again
from forge.wire.http import Response
from forge.work.workspace.people import agents as all_agents
from forge.work.workspace.projects import projects as all_projects
from functions.oauth import choices, clients, consent_page, consents, redirects
from functions.oauth.choices import Offer
from functions.oauth.clients import Client
from functions.oauth.consent_page import Question
from functions.oauth.consents import Yes
from functions.oauth.metadata import AUTHORIZE_PATH
from functions.oauth.pages import problem
from functions.oauth.persons import Person, ask_to_sign_in, note_of, person_of, require_own_page
from functions.oauth.server import Answer, AskedRequest, OnlyS256, OurResource, Server
from functions.oauth.stored import consents as stored
from functions.oauth.stored.consents import ConsentItem
from functions.oauth.tokens import CodeGrant
from functions.oauth.visits import OVERTAKEN, TRIES, Visit, new_secret

_MOST = 8_000
_KEPT = ("response_type", "client_id", "redirect_uri", "scope", "state", "resource")
_KEPT_OF_PKCE = ("code_challenge", "code_challenge_method")


class Untrusted(Exception):
    """It is not known who asks, or where an answer would go."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why


class NoSuchResponse(OAuth2Error):  # type: ignore[misc]  # the library has no types
    error = "unsupported_response_type"
    description = "response_type must be code."


def ask(visit: Visit) -> Response:
    asked = {name: value for name, value in visit.request.query.items() if name in (*_KEPT, *_KEPT_OF_PKCE)}
    person = person_of(visit)
    visit.who = person.caller if person else None
    try:
        client = _trusted(visit, asked)
    except Untrusted as refusal:
        return _told_here(visit, person, refusal)
    refused = _checked(visit, person, client, asked)
    if refused is not None:
        return refused
    if person is None:
        return ask_to_sign_in(_address_of(asked))
    secret = new_secret()
    consent = stored.begun(
        secret=secret,
        now=visit.services.now(),
        sign_in=person.sign_in.secret_hash,
        asked=asked,
        client_digest=client.known.digest,
    )
    tx = visit.begin(person.caller, "oauth.authorize")
    tx.create(consent)
    visit.services.store.commit(tx)
    return consent_page.show(
        _question(client, person, consent, secret, _offer(visit, person, client, consent))
    )


def answer(visit: Visit) -> Response:
    """What a person said, once, on the page that they were shown."""
    require_own_page(visit)
    person = person_of(visit)
    if person is None:
        raise Forbidden("Nobody is signed in here any more.", hint="Begin again in your program.")
    visit.who = person.caller
    form = visit.form()
    secret = form.one("consent")
    try:
        client, consent = _still_asked(visit, person, secret)
    except Untrusted as refusal:
        return _told_here(visit, person, refusal)
    if form.one("answer") not in ("yes", "no"):
        raise InvalidInput("Say yes or no.")
    if form.one("answer") == "no":
        return _said_no(visit, person, consent)
    offered = _offer(visit, person, client, consent)
    try:
        choice = choices.choose(person, offered, form, visit.services.now())
    except InvalidInput as slip:
        question = _question(client, person, consent, secret, offered)
        return consent_page.show(question._replace(refused=slip.message, chosen=form), status=400)
    except DomainError as refusal:
        return _told_here(visit, person, Untrusted("invalid_scope", refusal.message))
    return _said_yes(visit, consent, Yes(visit, person, client, consent, choice))


def _trusted(visit: Visit, asked: Mapping[str, str]) -> Client:
    """Who asks, and that an answer goes where they may have it."""
    if len(urlencode(asked)) > _MOST:
        raise Untrusted("invalid_request", "This request is too long.")
    client = clients.find(visit, asked.get("client_id"))
    if client is None:
        raise Untrusted(
            "invalid_client",
            "The program that sent you here is not known to this server. Take the server out there and add "
            "it anew: then the program makes itself known again.",
        )
    if not client.check_redirect_uri(asked.get("redirect_uri", "")):
        raise Untrusted(
            "invalid_request", "The program that sent you here wants the answer where it never said."
        )
    return client


def _checked(
    visit: Visit, person: Person | None, client: Client, asked: Mapping[str, str]
) -> Response | None:
    """What is wrong with it, for the client; None where nothing is."""
    server, request = _server(visit, asked)
    request.concerned = person.concerned if person else None
    try:
        if asked.get("response_type") != "code":
            raise NoSuchResponse(redirect_uri=asked["redirect_uri"], state=asked.get("state"))
        server.get_consent_grant(request)
    except OAuth2Error as error:
        refused: Answer = server.handle_error_response(request, error)
        if refused.location is None:
            return _told_here(
                visit, None, Untrusted(str(error.error), "This request is none that can be answered.")
            )
        server.names_us.add_issuer_parameter(server, refused)
        return refused.response()
    return None


def _server(visit: Visit, asked: Mapping[str, str]) -> tuple[Server, AskedRequest]:
    server = Server(visit)
    server.register_grant(CodeGrant, [OnlyS256(required=True), OurResource(visit)])
    return server, AskedRequest(visit, asked)


def _still_asked(visit: Visit, person: Person, secret: str) -> tuple[Client, ConsentItem]:
    """The question, if it is open, of this person in this browser, and by the same client."""
    consent = visit.table.find(ConsentItem, ConsentItem.at(hash_of(secret)))
    if consent is None or consent.sign_in != person.sign_in.secret_hash:
        raise Untrusted("forged", "This question was not asked of you.")
    if consent.settled_at is not None:
        raise Untrusted("replayed", "This question was answered before.")
    if consent.expires_at <= visit.services.now():
        raise Untrusted("expired", "This question was asked too long ago. Begin again in your program.")
    client = _trusted(visit, consent.asked)
    if client.known.digest != consent.client_digest:
        raise Untrusted("changed", "The program says something else of itself by now. Begin again there.")
    return client, consent


def _offer(visit: Visit, person: Person, client: Client, consent: ConsentItem) -> Offer:
    workspace_id = person.workspace.id
    wanted = frozenset((client.get_allowed_scope(consent.asked.get("scope")) or "").split())
    known = all_agents.list_all(visit.table, workspace_id) if choices.may_mind_agents(person) else []
    projects = all_projects.list_all(visit.table, workspace_id)
    return choices.offer(person, wanted, [agent for agent, _ in known], projects)


def _question(client: Client, person: Person, consent: ConsentItem, secret: str, offered: Offer) -> Question:
    redirect = redirects.redirect_of(consent.asked["redirect_uri"])
    return Question(client, redirect, person, offered, secret, _address_of(consent.asked))


def _address_of(asked: Mapping[str, str]) -> str:
    return f"{AUTHORIZE_PATH}?{urlencode(asked)}"


def _said_no(visit: Visit, person: Person, consent: ConsentItem) -> Response:
    visit.outcome = "access_denied"
    decided_again(lambda: consents.settle(visit, person.caller, consent), tries=TRIES, spent=OVERTAKEN)
    server, request = _server(visit, consent.asked)
    denied = AccessDeniedError(redirect_uri=consent.asked["redirect_uri"], state=consent.asked.get("state"))
    refused: Answer = server.handle_error_response(request, denied)
    server.names_us.add_issuer_parameter(server, refused)
    return refused.response()


def _said_yes(visit: Visit, consent: ConsentItem, yes: Yes) -> Response:
    server, request = _server(visit, consent.asked)
    grant = server.get_authorization_grant(request)
    given: Answer = server.create_authorization_response(request, grant_user=yes, grant=grant)
    return given.response()


def _told_here(visit: Visit, person: Person | None, refusal: Untrusted) -> Response:
    """On a page, and in the audit where somebody is signed in."""
    visit.outcome = refusal.code
    if person is not None:
        note_of(visit, person, refusal.code, refusal.why)
    return problem(
        400,
        "This can't be answered",
        refusal.why,
        "Nobody was let in. You can close this page.",
    )
