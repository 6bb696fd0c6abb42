"""Why somebody is not let in: in words for them, and in a row for whoever looks after the workspace."""

from collections.abc import Mapping

from forge.context import Caller, KeyKind
from forge.errors import DomainError, Forbidden
from forge.work.record.log import events
from forge.work.record.log.attempts import Attempt as Tried
from forge.work.record.log.attempts import CallOutcome
from forge.work.workspace.founding import WorkspaceNameItem
from forge.work.workspace.people.members import UserItem
from functions.oauth.people import attempts
from functions.oauth.people.admission import NotAdmitted
from functions.oauth.people.attempts import Departure
from functions.oauth.people.identities import Identity
from functions.oauth.visits import Visit

_NAME, _STRANGER = "oauth", "stranger"
_ASK = "Ask an owner or admin of the workspace."

_WORDS: Mapping[NotAdmitted, tuple[str, str]] = {
    NotAdmitted.UNVERIFIED: (
        "Your account does not vouch for an e-mail address.",
        "Have it verified there, or sign in with a key.",
    ),
    NotAdmitted.NOT_INVITED: (
        "Your account is good, but nobody has added you here.",
        f"{_ASK} They add your address with members.add.",
    ),
    NotAdmitted.REMOVED: ("You were removed from this workspace.", f"{_ASK} They can add you again."),
    NotAdmitted.ANOTHER_ACCOUNT: (
        "Whoever has this address here signs in with another account.",
        f"{_ASK} Addresses are sometimes given to somebody else.",
    ),
    NotAdmitted.BEING_ERASED: ("Whoever had this address here is being erased.", "Try again later."),
    NotAdmitted.FULL: ("This workspace has no room for another member.", _ASK),
}


def refusal_of(refusal: NotAdmitted) -> DomainError:
    message, hint = _WORDS[refusal]
    return Forbidden(message, hint=hint, details={"reason": refusal.value})


def keep_refusal(
    visit: Visit,
    workspace_id: str,
    refusal: NotAdmitted,
    identity: Identity,
    attempt: Departure,
    user: UserItem | None,
) -> None:
    """A row in the audit, once for each attempt; with only so much of an address as tells whose it may be."""
    message, _ = _WORDS[refusal]
    told = {"issuer": identity.issuer, "address": masked(identity.email)}
    tried = Tried.that(CallOutcome.FAILURE, told, session_id=_NAME, code=refusal.value, error=message)
    _keep(visit, workspace_id, attempt, tried, user.id if user else None)


def keep_flaw(visit: Visit, flaw: str, why: str, slug: str, attempt: Departure | None) -> None:
    """That an answer was not good; nowhere, where it is not known which workspace was meant.

    Without an attempt, of an answer whose attempt was spent before.
    """
    taken = visit.table.find(WorkspaceNameItem, WorkspaceNameItem.at("SLUG", slug)) if slug else None
    if taken is not None:
        tried = Tried.that(CallOutcome.FAILURE, {}, session_id=_NAME, code=flaw, error=why)
        _keep(visit, taken.workspace_id, attempt, tried, None)


def _keep(
    visit: Visit, workspace_id: str, attempt: Departure | None, tried: Tried, user_id: str | None
) -> None:
    nobody = Caller(_NAME, workspace_id, KeyKind.SESSION, frozenset(), _NAME, user_id)
    tx = visit.begin(nobody, "oauth.sign-in")
    if attempt is not None:
        attempts.spend(tx, attempt)
    events.record_refusal(tx, tried, subject_type="membership", subject_id=user_id or _STRANGER)
    try:
        visit.services.store.commit(tx)
    except attempts.CameTwice:
        # They were told before.
        return


def masked(email: str | None) -> str:
    name, _, domain = (email or "").rpartition("@")
    return f"{name[:1]}…@{domain}" if name else ""
