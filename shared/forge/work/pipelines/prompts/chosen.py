"""What an agent is told of the past: which of it, how, and what goes first when there is no room."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from forge.work.pipelines.learning import friction, patterns
from forge.work.pipelines.learning.friction import FrictionPoint
from forge.work.pipelines.learning.needs import NEEDS
from forge.work.pipelines.learning.patterns import FindingSeverity, Pattern
from forge.work.pipelines.learning.similar import Similar
from forge.work.pipelines.learning.words import one_line

if TYPE_CHECKING:
    from forge.work.pipelines.prompts.prompts import Knowledge

MOST_TOLD_PATTERNS = 20
MOST_TOLD_FRICTION = 10

_LONGEST_LINE = 200
_SHORTEST_WORD = 3
_WORD = re.compile(r"[^\W_]+")
_SAYS_NOTHING = frozenset(
    _WORD.findall(
        """
        the and for with that this from into code file files task review should must use used using add
        added missing error errors
        """
    )
)
_COUNTS = {1: "once", 2: "twice"}


class ToldPast(NamedTuple):
    """Lines to be told, the best of each kind first."""

    similar: Sequence[str] = ()
    patterns: Sequence[str] = ()
    friction: Sequence[str] = ()

    @property
    def size(self) -> int:
        return sum(map(len, self))

    def without_last(self) -> "ToldPast":
        """One line less: friction goes first, then what was similar, then patterns."""
        if self.friction:
            return self._replace(friction=self.friction[:-1])
        if self.similar:
            return self._replace(similar=self.similar[:-1])
        return self._replace(patterns=self.patterns[:-1])


NOTHING = ToldPast()


def past_for(
    agent: str, knowledge: "Knowledge", *, answered: Sequence[str], task: Sequence[str] | None
) -> ToldPast:
    """Only what this agent has a use for; `task` holds the title and the files of the one it is about."""
    need = NEEDS.get(agent)
    if need is None:
        return NOTHING
    wanted = [
        pattern
        for pattern in patterns.by_weight(knowledge.patterns)
        if pattern.severity is FindingSeverity.CRITICAL or not need.only_critical
    ]
    if agent == "architect":
        wanted = _not_answered(wanted, answered)
    if agent == "impl-reviewer" and task:
        wanted = _about(wanted, task)
    rubbed = friction.by_weight(knowledge.friction)[:MOST_TOLD_FRICTION] if need.friction else []
    return ToldPast(
        similar=[_similar_line(one) for one in knowledge.similar] if need.similar else [],
        patterns=[_pattern_line(one) for one in wanted[:MOST_TOLD_PATTERNS]],
        friction=[_friction_line(one) for one in rubbed],
    )


def sections(past: ToldPast) -> list[str]:
    headed = {
        "## Similar Past Pipelines": past.similar,
        "## Past Review Patterns": past.patterns,
        "## AI Friction Points": past.friction,
    }
    return ["\n".join([heading, "", *lines]) for heading, lines in headed.items() if lines]


def _not_answered(wanted: Sequence[Pattern], answered: Sequence[str]) -> list[Pattern]:
    """Without those that the review at hand says itself."""
    said = {" ".join(text.split()).casefold() for text in answered}
    return [one for one in wanted if one.pattern.casefold() not in said]


def _about(wanted: Sequence[Pattern], task: Sequence[str]) -> list[Pattern]:
    """Those that share a word with the task; all of them where the task has no word of its own."""
    of_task = _words(" ".join(task))
    return [one for one in wanted if not of_task or _words(one.pattern) & of_task]


def _words(text: str) -> set[str]:
    found = {word for word in _WORD.findall(text.lower()) if len(word) >= _SHORTEST_WORD}
    return found - _SAYS_NOTHING


def _similar_line(similar: Similar) -> str:
    ended = similar.ended
    how = "" if ended.outcome == "completed" else f", {ended.outcome}"
    line = one_line(ended.one_liner, _LONGEST_LINE)
    return f"- {ended.spec_name}: {line} (similarity: {similar.similarity:.2f}{how})"


def _pattern_line(pattern: Pattern) -> str:
    times = _COUNTS.get(pattern.frequency, f"{pattern.frequency} times")
    return f'- {pattern.severity}: "{pattern.pattern}" (seen {times}, {pattern.agent})'


def _friction_line(point: FrictionPoint) -> str:
    below = f"\n  Mitigation: {point.mitigation}" if point.mitigation else ""
    return f"- {point.category}: {point.description}{below}"
