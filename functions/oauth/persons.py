"""Who sits at the browser: known by a cookie, or asked to sign in."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from forge.context import Caller, Door
from forge.errors import DomainError, Forbidden, RateLimited
from forge.wire import cookies
from forge.wire.http import Response
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.signins import signins
from forge.work.workspace.signins.signins import SignedIn, SignInItem
from forge.work.workspace.workspaces import WorkspaceItem
from functions.oauth import refusals
from functions.oauth.pages import sent_on
from functions.oauth.visits import Visit

SIGN_IN_PATH, SIGN_OUT_PATH = "/oauth/sign-in", "/oauth/sign-out"
_COOKIE = "forge_signin"


class Person(NamedTuple):
    sign_in: SignInItem
    caller: Caller
    """What the key of the sign-in may do now."""
    member: MemberItem
    workspace: WorkspaceItem

    @property
    def name(self) -> str:
        return self.member.name or self.member.email

    @property
    def concerned(self) -> tuple[str, str]:
        """Workspace and key that a refusal is about."""
        return self.workspace.id, self.sign_in.key_id


def person_of(visit: Visit) -> Person | None:
    """Whoever is signed in; None where nobody is, or is any more."""
    secret = visit.cookie(_COOKIE)
    sign_in = signins.find(visit.table, secret, visit.services.now()) if secret else None
    if sign_in is None:
        return None
    try:
        caller = visit.gate.admit_known(sign_in.key_hash, Door.REST, visit.services.now())
    except RateLimited:
        raise
    except DomainError:
        # Revoked, or no member any more: they may sign in again, if they can.
        return None
    wanted = MemberItem.at(sign_in.workspace_id, sign_in.user_id), WorkspaceItem.at(sign_in.workspace_id)
    known = visit.table.read(wanted)
    member, workspace = known.find(MemberItem, wanted[0]), known.find(WorkspaceItem, wanted[1])
    return Person(sign_in, caller, member, workspace) if member and workspace else None


def require_own_page(visit: Visit) -> None:
    """Of a form that changes something; that another page sent it in somebody's name is in their audit."""
    if visit.is_from_own_page:
        return
    refusal = Forbidden(
        "This form was not sent from a page of this server.",
        hint="Open the page here again, and send it from there.",
    )
    if (person := person_of(visit)) is not None:
        note_of(visit, person, "another-page", refusal.message)
    raise refusal


def note_of(visit: Visit, person: Person, code: str, why: str) -> None:
    """That something was refused in somebody's browser."""
    workspace_id, key_id = person.concerned
    refusals.note(visit, code, why, workspace_id=workspace_id, key_id=key_id)


def ask_to_sign_in(next_path: str, headers: Mapping[str, str] | None = None) -> Response:
    return sent_on(f"{SIGN_IN_PATH}?{urlencode({'next': next_path})}", headers)


def cookie_of(visit: Visit, begun: SignedIn | None) -> str:
    """The header that gives a browser its sign-in, or takes it away. Clients lead here: so it is Lax."""
    seconds = int((begun.item.expires_at - visit.services.now()).total_seconds()) if begun else 0
    secret = begun.secret if begun else ""
    return cookies.cookie(_COOKIE, secret, seconds, is_secure=visit.is_secure, same_site="Lax")
