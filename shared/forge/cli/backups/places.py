"""Every place in the table that is declared anywhere, and what is stored there."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from forge.store.items import Item
from forge.store.keys import At, Key
from forge.store.readings import Attributes, key_of

NAMED = re.compile(r"{\w+(?::\w+)?}")
_ENDING = re.compile(r"(?<=\w){\w+}")
"""What follows on a word, as the number of a shard does, and is not there for the first one."""
_PACKAGES = ("forge.store", "forge.work", "functions")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the table, and the kind of item that is there; None where only numbers are added up."""

    at: At
    name: str
    kind: type[Item] | None = None

    @property
    def whole(self) -> str:
        return f"{self.at.partition.template} {self.at.sort}"


@cache
def kinds() -> tuple[type[Item], ...]:
    """Every kind of item that is stored."""
    _import_all()
    return tuple(sorted(_placed(Item), key=lambda kind: (kind.__name__, kind.__module__)))


def called(kind: type[Item]) -> str:
    """By its name, and where another has the same by its module's, too."""
    is_alone = sum(one.__name__ == kind.__name__ for one in kinds()) == 1
    return kind.__name__ if is_alone else f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"


@cache
def places() -> tuple[Place, ...]:
    """All of the table, in the order of its partitions."""
    found = {at: Place(at, called(kind), kind) for kind in kinds() for at in (kind.stored, *kind.instead)}
    for module in _import_all():
        for name, one in vars(module).items():
            if isinstance(one, At) and one not in found:
                found[one] = Place(one, name)
    return tuple(sorted(found.values(), key=lambda place: (place.at.partition.template, place.at.sort)))


def place_of(stored: Attributes) -> Place | None:
    """What an item is as it is stored: of whatever fits its key, that whose templates say most of it.

    Where several have the same templates, as all that is found by its id alone, its attributes tell.
    """
    key = " ".join(key_of(stored))
    fitting = [place for fits, place in _patterns() if fits(key)]
    own = [place for place in fitting if place.kind and place.kind.is_in(stored)]
    return max(own or fitting, key=lambda place: len(NAMED.sub("", place.whole)), default=None)


def is_at(kind: type[Item], key: Key) -> bool:
    """Whether items of a kind are stored at such keys."""
    return any(fits(" ".join(key)) for fits, place in _patterns() if place.kind is kind)


@cache
def _patterns() -> tuple[tuple[Callable[[str], object], Place], ...]:
    return tuple((_pattern(place.whole).fullmatch, place) for place in places())


def _pattern(whole: str) -> re.Pattern[str]:
    named = (".+".join(map(re.escape, NAMED.split(part))) for part in _ENDING.split(whole))
    return re.compile("(?:#\\d+)?".join(named), re.DOTALL)


def _placed(kind: type[Item]) -> Iterator[type[Item]]:
    for one in kind.__subclasses__():
        if hasattr(one, "stored") and one.__module__.startswith(("forge.", "functions.")):
            yield one
        yield from _placed(one)


@cache
def _import_all() -> tuple[object, ...]:
    """Every module in which something may be declared; entry points open a backend when they are imported."""
    packages = [importlib.import_module(name) for name in _PACKAGES]
    return tuple(
        importlib.import_module(found.name)
        for package in packages
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not found.name.endswith(".app")
    )
