"""Which of the known things a word means, or why none. Pure: whoever asks has read what is known."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from unicodedata import normalize

from forge.contract.names import closest
from forge.contract.questions import Meaning, which
from forge.contract.references import Kind
from forge.errors import InvalidInput, Unknown
from forge.work.workspace.statuses import StatusCopy, StatusItem

MOST_NAMED = 20
_MOST_CLOSEST = 5
_LONGEST_SHOWN = 60

_PREFIXES = {
    Kind.STATUS: "sta",
    Kind.AGENT: "agt",
    Kind.PERSON: "usr",
    Kind.LABEL: "lbl",
    Kind.PROJECT: "prj",
    Kind.INITIATIVE: "ini",
    Kind.CYCLE: "cyc",
    Kind.RUNTIME: "rt",
    Kind.CREW: "crew",
}
_SHOWN_BY = {
    Kind.STATUS: "statuses.list",
    Kind.AGENT: "agents.list",
    Kind.PERSON: "members.list",
    Kind.LABEL: "labels.list",
    Kind.PROJECT: "projects.list",
    Kind.INITIATIVE: "initiatives.list",
    Kind.CYCLE: "cycles.list",
    Kind.RUNTIME: "runtimes.list",
    Kind.CREW: "agentCrews.list",
    Kind.ISSUE: "issues.list",
}
# Ids go on with a time, whose first digit is one.
USUAL_IDS = {kind: re.compile(rf"{prefix}_[0-9][0-9A-Z]{{5,25}}") for kind, prefix in _PREFIXES.items()}
_IDS = {kind: re.compile(usual.pattern, re.IGNORECASE) for kind, usual in USUAL_IDS.items()}


class Thing(NamedTuple):
    """Something known: its id, and its names, of which an earlier one counts more."""

    id: str
    names: tuple[str, ...]
    shows_all: bool = False
    """Whether its first name alone would tell people little."""


def folded(name: str) -> str:
    """A name as it is compared: case and the way in which it was typed make no difference."""
    return normalize("NFKC", normalize("NFKC", name).casefold()).strip()


def id_like(kind: Kind, given: str) -> str | None:
    """The id that this looks like, as ids are spelt; None where it must be a name."""
    if not _IDS[kind].fullmatch(given):
        return None
    prefix, _, rest = given.partition("_")
    return f"{prefix.lower()}_{rest.upper()}"


def meant(given: str, known: Sequence[Thing]) -> list[Thing]:
    """The things that a word can mean: the one with this id, else all with it as first name, or as second."""
    by_id = [thing for thing in known if thing.id.casefold() == given.casefold()]
    if by_id:
        return by_id
    word = folded(given)
    for rank in range(max((len(thing.names) for thing in known), default=0)):
        named = [
            thing for thing in known if thing.names[rank : rank + 1] and folded(thing.names[rank]) == word
        ]
        if named:
            return named
    return []


def find_only(kind: Kind, field: str, given: str, known: Sequence[Thing]) -> Thing | None:
    """The one that is meant, if any; of several, none is chosen."""
    found = meant(given, known)
    if len(found) > 1:
        raise _ambiguous(kind, field, given, found)
    return found[0] if found else None


def get_only(kind: Kind, field: str, given: str, known: Sequence[Thing]) -> Thing:
    found = find_only(kind, field, given, known)
    if found is None:
        raise explained(Unknown(kind, field, given), known)
    return found


def unknown(kind: Kind, field: str, given: str) -> InvalidInput:
    """What a rule says that does not know what else there is; the known ones are added later."""
    return InvalidInput(
        f"Unknown {kind}.",
        unknown=Unknown(kind, field, given),
        issues={field: f"{_SHOWN_BY[kind]} shows the known ones."},
    )


def explained(what: Unknown, known: Sequence[Thing]) -> InvalidInput:
    """The refusal of an unknown name, with the names that there are or the closest ones."""
    kind, field, given = what
    names = [_shown(thing) for thing in known]
    near = names
    if len(names) > MOST_NAMED:
        spellings = {name: _shown(thing) for thing in known for name in thing.names}
        near = list(dict.fromkeys(spellings[one] for one in closest(given, spellings, limit=_MOST_CLOSEST)))
    which = f"Unknown {kind} {given[:_LONGEST_SHOWN]!r}."
    there_are = f"{_SHOWN_BY[Kind(kind)]} shows the known ones."
    if not names:
        there_are = "There is none yet."
    elif near:
        there_are = f"{'There are' if near is names else 'Closest'}: {', '.join(near)}."
    return InvalidInput(f"Unknown {kind}.", issues={field: f"{which} {there_are}"})


def no_self(kind: Kind, field: str) -> InvalidInput:
    """Nobody is `me` for a key that is not an agent's, or not a person's."""
    return InvalidInput(
        f"This key is no {kind}'s, so `me` is nobody.", issues={field: f"Say which {kind} is meant."}
    )


def things_of(statuses: Iterable[StatusItem | StatusCopy]) -> list[Thing]:
    """Statuses by name, else by a category that only one of them has."""
    return [Thing(one.id, (one.name, one.category.value)) for one in statuses]


def status_meant(field: str, given: str, known: Iterable[StatusItem | StatusCopy]) -> str:
    """The id of the status."""
    return get_only(Kind.STATUS, field, given, things_of(known)).id


def _ambiguous(kind: Kind, field: str, given: str, found: Sequence[Thing]) -> InvalidInput:
    candidates = ", ".join(f"{_shown(one)} ({one.id})" for one in found[:MOST_NAMED])
    said = given[:_LONGEST_SHOWN]
    choices = [Meaning(one.id, _shown(one)) for one in found[:MOST_NAMED]]
    return InvalidInput(
        f"More than one {kind} is meant by {said!r}.",
        issues={field: f"Say which: {candidates}."},
        details=which(field, given, choices),
    )


def _shown(thing: Thing) -> str:
    if not thing.names:
        return thing.id
    first, *others = thing.names
    return f"{first} ({', '.join(others)})" if others and thing.shows_all else first
