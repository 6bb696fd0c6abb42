"""Rules of a repository about which tasks a person has to do: the front matter of its instructions."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from forge.errors import InvalidInput
from forge.work.pipelines.prompts.globs import InvalidGlob, glob_pattern

HUMAN_GATE = "human_gate"
MAX_BYTES = 64_000

_MOST_RULES = 100
_LONGEST_TITLE = 300
_ESCAPED = re.compile(r"\\.|\[\^?\]?[^\]]*\]")
_UNBOUNDED = re.compile(r"[*+]|\{\d*,\}")
_MOST_UNBOUNDED = 3


class RuledTask(NamedTuple):
    """What rules look at of a task."""

    number: str
    title: str
    files: Sequence[str]
    mode: str


class Rule(NamedTuple):
    id: str
    reason: str
    globs: tuple[re.Pattern[str], ...]
    title: re.Pattern[str] | None

    def concerns(self, task: RuledTask) -> bool:
        """All conditions that it has must hold; of several globs any will do."""
        files = [file.strip().strip("`").removeprefix("./") for file in task.files]
        if self.globs and not any(glob.fullmatch(file) for glob in self.globs for file in files):
            return False
        return self.title is None or bool(self.title.search(task.title[:_LONGEST_TITLE]))


class Violation(NamedTuple):
    task_number: str
    rule_id: str
    description: str


def parse(text: str | None) -> list[Rule]:
    """The rules of a text, none where there is no text. Raises with what is wrong with it."""
    if text is None or not text.strip():
        return []
    if len(text.encode()) > MAX_BYTES:
        raise _invalid(f"they have more than {MAX_BYTES:,} bytes")
    try:
        written = _Written.model_validate(_front_matter(text))
        return [_rule(one) for one in written.rules]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "front matter"
        raise _invalid(f"{place}: {first['msg']}") from None
    except (InvalidGlob, _InvalidTitle) as error:
        raise _invalid(str(error)) from None


def violations(rules: Sequence[Rule], tasks: Iterable[RuledTask]) -> list[Violation]:
    """Tasks that a rule gives to a person and that are not marked so; by task, then by rule."""
    ordered = sorted(tasks, key=lambda task: _place(task.number))
    return [
        Violation(
            task.number,
            rule.id,
            f"Task {task.number} must have `mode: {HUMAN_GATE}` (rule {rule.id}): {rule.reason}",
        )
        for task in ordered
        if task.mode != HUMAN_GATE
        for rule in rules
        if rule.concerns(task)
    ]


_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
_Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
_Pattern = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _WrittenCondition(_Strict):
    files_match: Annotated[list[_Pattern], Field(min_length=1, max_length=50)] | None = None
    title_matches: _Pattern | None = None


class _WrittenRule(_Strict):
    id: _Name
    when: _WrittenCondition
    require: Literal["human_gate"]
    reason: _Reason


class _Written(_Strict):
    rules: Annotated[list[_WrittenRule], Field(max_length=_MOST_RULES)]


class _InvalidTitle(ValueError):
    """Of a pattern for titles that is none, or that could take forever."""


def _front_matter(text: str) -> Any:
    lines = text.lstrip("\ufeff").splitlines()
    ends = [place for place, line in enumerate(lines) if place and line.rstrip() == "---"]
    if not lines or lines[0].rstrip() != "---" or not ends:
        raise _invalid("they must begin with YAML between two lines of ---")
    # Imported here: it is in the pipeline function's layer alone, and few repositories have rules.
    import yaml

    try:
        return yaml.safe_load("\n".join(lines[1 : ends[0]]))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _invalid(" ".join(str(error).split())[:200]) from None


def _rule(written: _WrittenRule) -> Rule:
    when = written.when
    if not when.files_match and not when.title_matches:
        raise _invalid(f"rule {written.id} has no condition: files_match, title_matches or both")
    globs = tuple(glob_pattern(glob) for glob in when.files_match or ())
    title = _title_pattern(when.title_matches) if when.title_matches else None
    return Rule(written.id, written.reason, globs, title)


def _title_pattern(text: str) -> re.Pattern[str]:
    """Without what makes Python's engine try for years: a call waits for it."""
    plain = _ESCAPED.sub("", text)
    if re.search(r"\)[*+{]", plain) or len(_UNBOUNDED.findall(plain)) > _MOST_UNBOUNDED:
        raise _InvalidTitle(
            f"title_matches {text!r}: no repeated groups, and {_MOST_UNBOUNDED} of * and + at most"
        )
    try:
        return re.compile(text)
    except re.error as error:
        raise _InvalidTitle(f"title_matches {text!r}: {error}") from None


def _place(number: str) -> tuple[int, int, str]:
    return (0, int(number), "") if number.isdecimal() else (1, 0, number)


def _invalid(what: str) -> InvalidInput:
    return InvalidInput(
        f"The workflow rules can't be read: {what}.",
        issues={"instructions": f"{what[:1].upper()}{what[1:]}."},
        hint="Send corrected `instructions` with pipeline_set_profile, or empty ones for no rules.",
    )
