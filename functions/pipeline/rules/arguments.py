"""What was typed to begin a pipeline: flags, where the request comes from, and what is wrong with it."""

import re
from datetime import datetime
from typing import NamedTuple

from forge.work.pipelines.branches import FALLBACK_SLUG, slugify
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.pipelines import FOLDER, PipelineSource

LEAST_CHARACTERS = 3
OF_WORKSPACE = "workspace"
"""The source of a text that mentions a workspace without naming one to go on with."""

MAX_NAME = 100
NAME = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{MAX_NAME - 1}}}")

_BARE = {"--auto": "auto", "--nopr": "skip_pr", "--debug": "debug", "--discuss": "discuss"}
_FLAG = re.compile(r"(?<!\S)(?:--(?:auto|nopr|debug|discuss|resume)|--(?:effort|type)=\S+)(?!\S)")
# Where flags stood, no hole is left: neither two spaces within a line nor one at its edge.
_FLAGS = rf"(?:{_FLAG.pattern}[ \t]*)+"
_FLAG_AT_EDGE = re.compile(rf"^[ \t]*{_FLAGS}|[ \t]*{_FLAGS}$", re.MULTILINE)
_FLAG_WITHIN = re.compile(rf"[ \t]*{_FLAGS}")
_EFFORT = re.compile(r"--effort=(\S+)")

_HOST = r"(?:https?://)?(?:www\.)?"
_SOURCES: tuple[tuple[PipelineSource, re.Pattern[str], str], ...] = (
    (
        PipelineSource.GITHUB,
        re.compile(rf"{_HOST}(github\.com/[^/\s]+/[^/\s]+/issues/)(\d+)", re.IGNORECASE),
        "https://github.com/<owner>/<repo>/issues/<number>",
    ),
    (
        PipelineSource.JIRA,
        re.compile(rf"{_HOST}([a-z0-9-]+\.atlassian\.net/browse/)([A-Z][A-Z0-9_]*-\d+)", re.IGNORECASE),
        "https://<site>.atlassian.net/browse/<KEY>-<number>",
    ),
    (
        PipelineSource.LINEAR,
        re.compile(rf"{_HOST}(linear\.app/[^/\s]+/issue/)([A-Z][A-Z0-9_]*-\d+)", re.IGNORECASE),
        "https://linear.app/<team>/issue/<KEY>-<number>",
    ),
)
_ANY_URL = re.compile(
    rf"https?://|www\.|{_HOST}(?:github\.com|[a-z0-9-]+\.atlassian\.net|linear\.app)/", re.IGNORECASE
)
_FIRST_WORD = re.compile(r"\S+\s*")
_HOSTS = {"github.com": 0, "atlassian.net": 1, "linear.app": 2}


class Unusable(ValueError):
    """What was typed begins nothing; the message says why."""


class Flags(NamedTuple):
    auto: bool = False
    skip_pr: bool = False
    debug: bool = False
    discuss: bool = False
    effort_override: str | None = None


class RequestSource(NamedTuple):
    type: str
    id: str | None = None
    url: str | None = None


class Typed(NamedTuple):
    core_text: str
    flags: Flags
    source: RequestSource

    @property
    def resumed(self) -> str | None:
        """The pipeline that is named, if one is: by its path, or perhaps by its name alone."""
        name = self.core_text.removeprefix(FOLDER).strip("/")
        return name if NAME.fullmatch(name) else None

    @property
    def is_path(self) -> bool:
        return self.core_text.startswith(FOLDER)


def parse(arguments: str) -> Typed:
    """One thing that is wrong at a time, in the order in which they are put right."""
    if not arguments.strip():
        raise Unusable("input is empty: say what shall be done")
    effort = _effort(arguments)
    found = {_BARE[flag]: True for flag in _FLAG.findall(arguments) if flag in _BARE}
    core = _FLAG_WITHIN.sub(" ", _FLAG_AT_EDGE.sub("", arguments)).strip()
    if not core:
        raise Unusable("only flags were given: say what shall be done")
    is_url = is_like_url(core)
    if not is_url and FOLDER not in core and len(core) < LEAST_CHARACTERS:
        raise Unusable(f"input too short: minimum {LEAST_CHARACTERS} characters required")
    return Typed(core, Flags(**found, effort_override=effort), source_of(core, is_url=is_url))


def is_like_url(text: str) -> bool:
    """With or without the scheme that people leave out."""
    return _ANY_URL.match(text) is not None


def without_url(text: str) -> str:
    """What was typed besides the URL of an issue."""
    return _FIRST_WORD.sub("", text, count=1).strip() if is_like_url(text) else text


def repository_in(url: str | None) -> str | None:
    """The repository whose issue a URL leads to."""
    found = _SOURCES[0][1].match(url or "")
    return "/".join(found[1].split("/")[1:3]) if found else None


def source_of(text: str, *, is_url: bool = True) -> RequestSource:
    """Of a URL the issue that it leads to; what is no issue is refused."""
    if not is_url:
        return RequestSource(OF_WORKSPACE if FOLDER in text else PipelineSource.TEXT)
    for kind, pattern, _ in _SOURCES:
        if match := pattern.match(text):
            issue_id = match[2].upper()
            return RequestSource(kind, issue_id, f"https://{match[1]}{issue_id}")
    forms = [_SOURCES[place][2] for host, place in _HOSTS.items() if host in text.lower()]
    expected = forms or [form for _, _, form in _SOURCES]
    raise Unusable(f"unrecognised URL: expected {' or '.join(expected)}")


def name_of(core_text: str, now: datetime) -> str:
    return f"{now:%Y%m%d}-{slugify(core_text) or FALLBACK_SLUG}"


def spec_name_of(name: str) -> str:
    """The name of a workspace without the date that it begins with."""
    return name.partition("-")[2] or name


def _effort(arguments: str) -> str | None:
    given = next((match[1] for flag in _FLAG.findall(arguments) if (match := _EFFORT.match(flag))), None)
    if given is None:
        return None
    if given.upper() not in Effort.__members__:
        raise Unusable(f"unknown effort {given[:20]!r}: use S, M or L")
    return given.upper()
