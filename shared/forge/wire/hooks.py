"""`POST /api/github/webhook/{mappingId}`: what happens on GitHub, told by GitHub.

Its signature is all that it brings: whoever can't sign learns nothing, not even whether there is such a
mapping. What it says is taken as signed, and nothing is asked of GitHub.
"""

from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from forge.context import Call, Caller, Door
from forge.errors import DomainError, InvalidInput, NotFound, PayloadTooLarge, Unauthorized
from forge.jsontext import BadJson, decode, encode
from forge.wire.http import Request, Response, error_response, json_response
from forge.wire.journal import Journal
from forge.wire.switchboard import Switchboard
from forge.work.record.links import HOOK_PATH

if TYPE_CHECKING:
    # On first use: the router starts without pydantic.
    from forge.work.backlog.repositories import RepositoryItem
    from forge.work.workspace.workspaces import WorkspaceItem

OPERATION = "github.webhook"
ACTOR = "github"
MAX_BYTES = 1024 * 1024
_MAX_ID = 100
_NOBODYS = "a secret that nothing is signed with"


class Answer(NamedTuple):
    status: int
    body: dict[str, Any]


class HookDoor:
    def __init__(self, switchboard: Switchboard, journal: Journal) -> None:
        self._switchboard = switchboard
        self._journal = journal

    def serve(self, request: Request) -> Response:
        if request.method != "POST":
            answer = error_response(NotFound("GitHub sends its webhooks with POST."), request.id)
            return json_response(405, answer.body, {"allow": "POST"})
        started, now, known = perf_counter(), self._switchboard.now(), list[Caller]()
        response, outcome = self._answered(request, known)
        caller = known[0] if known else None
        self._journal.record(
            request.id, OPERATION, door="rest", outcome=outcome, now=now, started=started, caller=caller
        )
        return response

    def _answered(self, request: Request, known: list[Caller]) -> tuple[Response, str]:
        """The answer, and how it went; who is known to have sent it is put into the list."""
        try:
            told = self._journal.shielded(request.id, self._take, request, known)
        except DomainError as error:
            return error_response(error, request.id), error.code.value
        return json_response(told.status, encode(told.body)), "ok"

    def _take(self, request: Request, known: list[Caller]) -> Answer:
        from forge.work.backlog import repositories
        from forge.work.backlog.github import intake
        from forge.work.workspace import workers

        body = _bytes_of(request)
        table = self._switchboard.services.store.table
        repository = repositories.find_mapped(table, _mapping_id(request.path))
        _require_signature(request, body, repository.secret if repository else _NOBODYS)
        if repository is None:
            raise _unsigned()
        caller = workers.nobody(repository.workspace_id, ACTOR)
        known.append(caller)
        event = request.headers.get("x-github-event", "")
        settings = self._switchboard.services.workspaces.get(repository.workspace_id)
        payload, ignored = _payload(body), _reason_against(repository, settings, event)
        if event == "ping":
            return Answer(200, {"ok": True, "event": event, "mappingId": repository.id})
        if ignored or not _is_about(repository, payload):
            return _ignored(event, ignored or "it is about another repository")
        context = self._switchboard.context(caller, Call(request.id, Door.REST), OPERATION)
        intake.require_rate(context, repository)
        news = intake.news_of(event, payload)
        if not news:
            return _ignored(event, "nothing follows from it here")
        message = intake.Message(_message_id(request), event, news)
        is_changed = intake.take(context, repository, message)
        return Answer(200, {"ok": True, "event": event, "changed": is_changed})


def _bytes_of(request: Request) -> bytes:
    body = request.body.encode() if isinstance(request.body, str) else request.body
    if len(body) > MAX_BYTES:
        raise PayloadTooLarge("A webhook's body is at most 1 MB.", hint="Choose fewer events on GitHub.")
    return body


def _mapping_id(path: str) -> str:
    return path.removeprefix(HOOK_PATH)[:_MAX_ID]


def _require_signature(request: Request, body: bytes, secret: str) -> None:
    """Compared in constant time, with some secret even where there is no mapping."""
    import hmac  # the router starts without it

    expected = "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest()
    given = request.headers.get("x-hub-signature-256", "")
    if not hmac.compare_digest(expected.encode(), given.encode()):
        raise _unsigned()


def _unsigned() -> Unauthorized:
    return Unauthorized(
        "X-Hub-Signature-256 does not fit this body and a mapping here.",
        hint="Set the webhook's URL and secret as repositories.register has shown them.",
    )


def _payload(body: bytes) -> dict[str, Any]:
    try:
        payload = decode(body)
    except BadJson as error:
        raise InvalidInput(
            f"The body is not valid JSON: {error}.", hint="Choose application/json as content type on GitHub."
        ) from None
    if not isinstance(payload, dict):
        raise InvalidInput("The body must be a JSON object.")
    return payload


def _reason_against(repository: "RepositoryItem", settings: "WorkspaceItem", event: str) -> str | None:
    from forge.work.backlog.github import mappings

    if not event:
        raise InvalidInput("X-GitHub-Event is missing.")
    if settings.deletes_at is not None:
        return "the workspace is being deleted"
    return None if mappings.is_active(repository) else "the mapping is paused"


def _is_about(repository: "RepositoryItem", payload: dict[str, Any]) -> bool:
    from forge.work.backlog.github import mappings

    about = payload.get("repository")
    name = about.get("full_name") if isinstance(about, dict) else None
    return isinstance(name, str) and mappings.is_named(repository, name)


def _message_id(request: Request) -> str:
    given = request.headers.get("x-github-delivery", "")
    if not 1 <= len(given) <= _MAX_ID:
        raise InvalidInput("X-GitHub-Delivery is missing or too long.")
    return given


def _ignored(event: str, reason: str) -> Answer:
    return Answer(202, {"ok": True, "event": event, "ignored": reason})
