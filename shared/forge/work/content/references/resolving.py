"""From what callers say to ids, before a tool runs. Ids cost nothing, names a request, names that are
not unique two.

Statuses are not looked up here: whoever takes one reads the settings, which have them, anyway. Nor are
issues: see `forge.work.issues.desks`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from forge.auth.narrowing import allows_initiative, allows_project
from forge.context import Context
from forge.contract.models import Model
from forge.contract.references import Kind, ReferenceField, references_in
from forge.contract.terms import Scope
from forge.errors import InvalidInput, Unknown
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.table import Table
from forge.work.content.cycles import cycles, initiatives
from forge.work.content.cycles.cycles import CycleItem
from forge.work.content.cycles.initiatives import InitiativeItem
from forge.work.issues.desks import Desk
from forge.work.workspace import labels, meanings
from forge.work.workspace.crews import crews
from forge.work.workspace.crews.crews import CrewItem
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.meanings import Thing
from forge.work.workspace.people import agents, members, runtimes
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import FormerMemberItem, MemberItem
from forge.work.workspace.people.runtimes import RuntimeItem
from forge.work.workspace.projects import projects
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.taken_names import NameItem

ME = "me"

ModelT = TypeVar("ModelT", bound=Model)


class _Lookup(NamedTuple):
    """Where the things of a kind are: by id, by unique name, all of them; and who may be told of all."""

    place: Callable[[str, str], Key]
    guarded_as: str
    known: Callable[[Context], list[Thing]]
    scope: Scope
    """Or ADMIN."""


def _agents(ctx: Context) -> list[Thing]:
    found = agents.list_all(ctx.table, ctx.caller.workspace_id)
    return [Thing(one.id, (one.profile_key,)) for one, _ in found if one.archived_at is None]


def _people(ctx: Context) -> list[Thing]:
    found = members.list_all(ctx.table, ctx.caller.workspace_id)
    return [Thing(one.user_id, (one.handle,) if one.handle else ()) for one in found]


def _labels(ctx: Context) -> list[Thing]:
    return [Thing(one.id, (one.name,)) for one, _ in labels.list_all(ctx.table, ctx.caller.workspace_id)]


def _projects(ctx: Context) -> list[Thing]:
    """Those that the caller may see: nobody else's name makes one ambiguous, or is told."""
    found = projects.list_all(ctx.table, ctx.caller.workspace_id)
    return [
        Thing(one.id, (one.project_key, one.name), shows_all=True)
        for one in found
        if allows_project(ctx.caller.narrowing, one.id)
    ]


def _initiatives(ctx: Context) -> list[Thing]:
    found = initiatives.list_all(ctx.table, ctx.caller.workspace_id)
    return [
        Thing(one.id, (one.slug, one.name))
        for one in found
        if allows_initiative(ctx.caller.narrowing, one.id)
    ]


def _by_name(
    list_them: Callable[[Table, str], Sequence[CycleItem | RuntimeItem | CrewItem]],
) -> Callable[[Context], list[Thing]]:
    """Of what has one name, and is shown to everybody."""
    return lambda ctx: [Thing(one.id, (one.name,)) for one in list_them(ctx.table, ctx.caller.workspace_id)]


_LOOKUPS: Mapping[Kind, _Lookup] = {
    Kind.AGENT: _Lookup(AgentItem.at, "AGENT", _agents, Scope.READ_USERS),
    Kind.PERSON: _Lookup(MemberItem.at, "HANDLE", _people, Scope.READ_USERS),
    Kind.LABEL: _Lookup(LabelItem.at, "LABEL", _labels, Scope.READ_ISSUES),
    Kind.PROJECT: _Lookup(ProjectItem.at, "PROJECT", _projects, Scope.READ_PROJECTS),
    Kind.INITIATIVE: _Lookup(InitiativeItem.at, "INITIATIVE", _initiatives, Scope.READ_PROJECTS),
    # Its taken names also say which one is current.
    Kind.CYCLE: _Lookup(CycleItem.at, cycles.KIND, _by_name(cycles.newest), Scope.READ_ISSUES),
    Kind.RUNTIME: _Lookup(RuntimeItem.at, "RUNTIME", _by_name(runtimes.list_named), Scope.READ_USERS),
    Kind.CREW: _Lookup(CrewItem.at, crews.KIND, _by_name(crews.list_named), Scope.READ_ISSUES),
}

_UNGUARDED = frozenset({Kind.PROJECT, Kind.INITIATIVE, Kind.RUNTIME})
"""Only their keys and slugs are unique, if any; of names there is no index."""


def with_ids(request: ModelT, ctx: Context) -> ModelT:
    """The request with an id wherever a name was given; a name that nothing has is refused.

    A subject that nothing is called stays as it was said, so that the tool itself does not find it.
    """
    said = []
    ids: dict[tuple[Kind, str], str] = {}
    names: list[tuple[ReferenceField, str]] = []
    for field, is_id in _looked_up_in(type(request)):
        value = getattr(request, field.name)
        if not value:
            continue
        said.append((field, value))
        for one in value if field.is_many else (value,):
            if is_id(one):
                continue
            known = _without_looking(ctx, field, one)
            if known is None:
                names.append((field, one))
            elif known != one:
                ids[field.kind, one] = known
    if names:
        ids |= _looked_up(ctx, names)
    if not ids:
        return request
    changed = {field.name: _replaced(field, value, ids) for field, value in said}
    return request.model_copy(update=changed)


def id_meant(ctx: Context, kind: Kind, field: str, given: str) -> str:
    """The id of the thing that one word means, whether or not there is anything of this id."""
    said = ReferenceField(field, field, kind, is_subject=False, is_many=False)
    return _without_looking(ctx, said, given) or _looked_up(ctx, [(said, given)])[kind, given]


def ids_there(ctx: Context, said: Mapping[str, tuple[Kind, str]]) -> dict[str, str]:
    """The id of what each of these fields names, in whatever way; all of it must be there."""
    fields = {
        name: ReferenceField(name, name, kind, is_subject=False, is_many=False)
        for name, (kind, _) in said.items()
    }
    ids = {name: _without_looking(ctx, fields[name], word) for name, (_, word) in said.items()}
    names = [(fields[name], word) for name, (_, word) in said.items() if ids[name] is None]
    named = _looked_up(ctx, names) if names else {}
    found = {name: ids[name] or named[kind, word] for name, (kind, word) in said.items()}
    places = {
        name: _LOOKUPS[kind].place(ctx.caller.workspace_id, found[name]) for name, (kind, _) in said.items()
    }
    known = ctx.table.read(places.values())
    for name, (kind, word) in said.items():
        if not known.has(places[name]):
            raise meanings.unknown(kind, name, word)
    return found


def require_any(ctx: Context, kind: Kind, field: str, thing_id: str) -> None:
    """There must be a thing of this id; one request."""
    place = _LOOKUPS[kind].place(ctx.caller.workspace_id, thing_id)
    if not ctx.table.read([place]).has(place):
        raise meanings.unknown(kind, field, thing_id)


def places_of(request: Model, ctx: Context) -> dict[Key, tuple[ReferenceField, str]]:
    """Where the things are that a request refers to by id, for tools that read something anyway."""
    return {
        _LOOKUPS[field.kind].place(ctx.caller.workspace_id, one): (field, one)
        for field, _ in _looked_up_in(type(request))
        if (value := getattr(request, field.name))
        for one in (value if field.is_many else (value,))
    }


def require_there(places: Mapping[Key, tuple[ReferenceField, str]], readings: Readings) -> None:
    """A filter by what is not there, or not any more, is a mistake and no filter."""
    for place, (field, given) in places.items():
        if not readings.has(place):
            raise meanings.unknown(field.kind, field.alias, given)


def require_known(ctx: Context, places: Mapping[Key, tuple[ReferenceField, str]], readings: Readings) -> None:
    """The same for what only looks back: people who have left can still be asked about, by their ids."""
    former = {
        place: FormerMemberItem.at(ctx.caller.workspace_id, given)
        for place, (field, given) in places.items()
        if field.kind is Kind.PERSON and not readings.has(place)
    }
    readings.fetch(former.values())
    gone = {place for place, once in former.items() if readings.has(once)}
    require_there({place: said for place, said in places.items() if place not in gone}, readings)


def keys_of(ctx: Context, kind: Kind, given: str) -> list[Key]:
    """What tells of whom a word speaks: the thing with this id, and who has it for a name."""
    workspace_id, lookup = ctx.caller.workspace_id, _LOOKUPS[kind]
    return [
        lookup.place(workspace_id, meanings.id_like(kind, given) or given),
        NameItem.of_name(workspace_id, lookup.guarded_as, given),
    ]


def found_in(readings: Readings | Desk, ctx: Context, kind: Kind, given: str) -> str | None:
    """The id, if the keys of this word were read and lead to one; an id wins over a name."""
    place, taken = keys_of(ctx, kind, given)
    if readings.has(place):
        return meanings.id_like(kind, given) or given
    owner = readings.find(NameItem, taken)
    return owner.owner_id if owner else None


def own_id(ctx: Context, kind: Kind, given: str, *, field: str) -> str | None:
    """The caller's own, where that is what was said."""
    if given.casefold() != ME or kind not in (Kind.AGENT, Kind.PERSON):
        return None
    own = ctx.caller.agent_id if kind is Kind.AGENT else ctx.caller.user_id
    if own is None:
        raise meanings.no_self(kind, field)
    return own


def explained(error: InvalidInput, what: Unknown, ctx: Context) -> InvalidInput:
    """What is told of an unknown reference: with the known ones, as far as the caller may see them."""
    lookup = _LOOKUPS.get(Kind(what.kind))
    if lookup is None or ctx.caller.scopes.isdisjoint({lookup.scope, Scope.ADMIN}):
        return error
    return meanings.explained(what, lookup.known(ctx))


@cache
def _looked_up_in(model: type[Model]) -> tuple[tuple[ReferenceField, Callable[[str], object]], ...]:
    """With what tells an id as usually written. Every call asks, and hashing a kind each time takes long."""
    fields = [field for field in references_in(model) if field.kind in _LOOKUPS]
    return tuple((field, meanings.USUAL_IDS[field.kind].fullmatch) for field in fields)


def _without_looking(ctx: Context, field: ReferenceField, given: str) -> str | None:
    """The id, where nothing has to be read for it."""
    return own_id(ctx, field.kind, given, field=field.alias) or meanings.id_like(field.kind, given)


def _looked_up(ctx: Context, names: Iterable[tuple[ReferenceField, str]]) -> dict[tuple[Kind, str], str]:
    readings = ctx.table.read(key for field, one in names for key in keys_of(ctx, field.kind, one))
    ids: dict[tuple[Kind, str], str] = {}
    everything: dict[Kind, list[Thing]] = {}
    for field, one in names:
        found = found_in(readings, ctx, field.kind, one)
        if found is None and field.kind in _UNGUARDED:
            if field.kind not in everything:
                everything[field.kind] = _LOOKUPS[field.kind].known(ctx)
            named = meanings.find_only(field.kind, field.alias, one, everything[field.kind])
            found = named.id if named else None
        if found is not None:
            ids[field.kind, one] = found
        elif not field.is_subject:
            raise meanings.unknown(field.kind, field.alias, one)
    return ids


def _replaced(
    field: ReferenceField, value: str | Sequence[str], ids: Mapping[tuple[Kind, str], str]
) -> str | list[str]:
    if isinstance(value, str):
        return ids.get((field.kind, value), value)
    return list(dict.fromkeys(ids.get((field.kind, one), one) for one in value))
