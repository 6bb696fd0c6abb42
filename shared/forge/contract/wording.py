"""What a text says to whoever looks for a tool: its telling words by their meaning, and its mood."""

import re
from collections.abc import Mapping
from functools import cache

from forge.contract import vocabulary

Meaning = tuple[str, ...]
"""Stems that stand together for what was said."""
Either = tuple[Meaning, ...]
"""What something that was said can mean; first itself, where it is a word with other meanings."""

_WORD = re.compile(r"[a-z]+(?=[A-Z])|[A-Za-z]+(?:'[a-z]+)?|\d+")
_IDENTIFIER = re.compile(r"\b[A-Z][A-Z0-9]*-\d+\b")
_VOWEL = re.compile("[aeiouy]")
_SHORTEST_STEM = 3
_NO_PLURALS = ("ss", "us", "is")
_LONG_PLURALS = ("sses", "xes", "ches", "shes", "zzes")
_COURTESY = re.compile(
    r"(?:please|kindly|ok|now|to|and|then|let me|let's|help me|how to|i'll|i will|i'd like to"
    r"|(?:can|could|would|will) (?:you|we|i)|(?:i|we) (?:want|need|have|would like|wish) to"
    r"|how (?:do|can|should) (?:i|we)) +"
)
_SAYING_NOTHING = frozenset(vocabulary.SAYING_NOTHING.split())
_ASKING = frozenset(vocabulary.ASKING.split())
_DOING = frozenset(vocabulary.DOING.split())
_MANY = frozenset(vocabulary.MANY.split())


def words(text: str) -> list[str]:
    """The telling words of a text by all that they can mean."""
    return [stem for either in meanings(text) for meaning in either for stem in meaning]


def meanings(text: str) -> list[Either]:
    """What each telling word or saying of a text can mean: `closes` is `closing`, a ticket is an issue."""
    said = [word.lower() for word in _WORD.findall(_IDENTIFIER.sub("issue", text))]
    stems = [stem(word) for word in said]
    known, longest = _sayings()
    found: list[Either] = []
    place = 0
    while place < len(said):
        for length in range(min(longest, len(said) - place), 0, -1):
            either = known.get(" ".join(stems[place : place + length]))
            if either:
                found.append(either)
                break
        else:
            length = 1
            if len(said[place]) > 1 and said[place] not in _SAYING_NOTHING:
                found.append(((stems[place],),))
        place += length
    return found


def gist(text: str) -> frozenset[str]:
    """What a text says at its shortest: one meaning of each telling word."""
    return frozenset(stem for either in meanings(text) for stem in either[len(either) > 1])


def is_asking(text: str) -> bool | None:
    """Whether somebody wants to know something, or wants it done; None where it can't be told."""
    wanted = text.lower().strip()
    while courtesy := _COURTESY.match(wanted):
        wanted = wanted[courtesy.end() :]
    said = _WORD.findall(wanted)
    if not said or said[0] in _DOING:
        return False if said else None
    # `Files of …` and `tickets that …` name what somebody wants to see.
    names_things = said[1:2] == ["of"] or _is_plural(said[0])
    return True if names_things or said[0] in _ASKING or wanted.endswith("?") else None


def is_of_one(text: str) -> bool:
    """Whether a text speaks of one thing only, so that a list is hardly meant."""
    said = [word.lower() for word in _WORD.findall(text)]
    return not any(word in _MANY or _is_plural(word) for word in said)


def _is_plural(word: str) -> bool:
    is_long_enough = len(word) > _SHORTEST_STEM
    return (
        is_long_enough
        and word.endswith("s")
        and not word.endswith((*_NO_PLURALS, "'s"))
        and stem(word) != word
    )


def stem(word: str) -> str:
    """What a word has in common with its plural, and with what was or is being done."""
    word = word.removesuffix("'s")
    base = _irregular().get(word)
    if base is not None:
        return base if base == word else stem(base)
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(_NO_PLURALS) and len(word) > _SHORTEST_STEM:
        word = word[:-2] if word.endswith(_LONG_PLURALS) else word[:-1]
    word = _undone(word)
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _undone(word: str) -> str:
    """Without the ending of what was or is being done: `planned` and `planning` are `plan`."""
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root == word or len(root) < _SHORTEST_STEM or not _VOWEL.search(root):
            continue
        if root.endswith("i"):
            return root[:-1] + "y"
        return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word


@cache
def _irregular() -> Mapping[str, str]:
    families = (family.split(":") for family in vocabulary.IRREGULAR.split(";"))
    return {form: word.strip() for word, forms in families for form in forms.split()}


@cache
def _sayings() -> tuple[Mapping[str, Either], int]:
    """What can be meant, by the stems of what is said; and of how many words the longest saying is."""
    known: dict[str, Either] = {}
    for line in filter(None, vocabulary.MEANINGS.splitlines()):
        meant, _, sayings = line.partition(":")
        for saying in sayings.split(","):
            said = " ".join(map(stem, saying.split()))
            # A single word may also be meant as it stands, where a tool is known by it.
            itself: Either = () if " " in said else ((said,),)
            meaning = tuple(map(stem, meant.split()))
            known[said] = tuple(dict.fromkeys((*known.get(said, itself), meaning)))
    return known, max(said.count(" ") for said in known) + 1
