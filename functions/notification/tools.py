"""The notification tools."""

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import FullList, NoArguments
from forge.contract.terms import Actor, Scope
from forge.contract.tools import Namespace
from forge.store.transactions import Transaction, overtaken
from forge.work.record.log import events
from forge.work.workspace.people import preferences
from forge.work.workspace.people.preferences import PreferenceItem, place_of
from functions.notification import rules
from functions.notification.models import (
    EffectivePreference,
    PreferenceScope,
    PreferenceView,
    SetPreference,
)


def find(ctx: Context, workspace_id: str | None, user_id: str, event_kind: str) -> PreferenceItem | None:
    return ctx.table.find(PreferenceItem, place_of(workspace_id, user_id, event_kind))


def save(tx: Transaction, before: PreferenceItem | None, after: PreferenceItem) -> None:
    if before is not None:
        tx.replace(after)
        return
    # It is there only if the same person set it in the same moment.
    tx.create(after, refusal=overtaken)


namespace = Namespace(
    "notification",
    "Say which events you want to hear of.",
    reads=[Scope.READ_USERS],
    writes=[Scope.READ_USERS],
    actor=Actor.USER,
)


@namespace.writes(
    unscoped_because="What somebody wants to hear of changes nothing for others.",
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=3),
    asks=[
        "enable or disable notifications",
        "stop paging me about an event",
        "mute a kind of event",
        "turn alerts on or off",
    ],
)
def set_preference(request: SetPreference, ctx: Context) -> PreferenceView:
    """Say whether you want to hear of a kind of event, and return that preference.

    Without one you hear of everything; what you do not want is left out of your events.recent and event
    stream. One for this workspace wins over a global one. A delivery that is left out becomes INBOX_ONLY.
    For people's keys only; notification.listPreferences shows what counts.
    Example: {"eventKind": "ISSUE_STALLED", "enabled": false, "scope": "workspace"}
    """
    user_id, kind = identity_of(ctx.caller), rules.known_kind(request.event_kind)
    workspace_id = ctx.caller.workspace_id if request.scope is PreferenceScope.WORKSPACE else None
    before = find(ctx, workspace_id, user_id, kind)
    said = {"enabled": request.enabled, "delivery": request.delivery}
    after = before.changed(**said) if before else _new(ctx, workspace_id, user_id, kind, said)
    if after != before:
        tx = ctx.plan()
        save(tx, before, after)
        events.record_change(tx, "preference", after.id, action="set", before=before, after=after)
    return PreferenceView.of(after)


@namespace.reads(
    costs=Cost(reads=2),
    asks=["my notification settings", "which alerts are muted", "notifications that I get"],
)
def list_preferences(request: NoArguments, ctx: Context) -> FullList[EffectivePreference]:
    """List what you have said of kinds of events: what counts here, and the preferences it follows from.

    Kinds that are not listed are enabled. Change one with notification.setPreference. Example: {}
    """
    both = preferences.by_kind(*preferences.list_both(ctx, identity_of(ctx.caller)))
    return FullList[EffectivePreference](
        data=[_effective(here, everywhere) for here, everywhere in both.values()]
    )


def _new(
    ctx: Context, workspace_id: str | None, user_id: str, kind: str, said: dict[str, object]
) -> PreferenceItem:
    values = {"id": ctx.new_id("prf"), "user_id": user_id, "workspace_id": workspace_id, "event_kind": kind}
    return PreferenceItem.model_validate(values | said)


def _effective(here: PreferenceItem | None, everywhere: PreferenceItem | None) -> EffectivePreference:
    counts = here or everywhere
    return EffectivePreference.of(
        counts,
        scope=PreferenceScope.WORKSPACE if here else PreferenceScope.GLOBAL,
        workspace=PreferenceView.of(here) if here else None,
        everywhere=PreferenceView.of(everywhere) if everywhere else None,
    )
