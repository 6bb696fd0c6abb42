"""How a pipeline begins: how much effort it takes, what it is called, and the request it works on."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from forge.errors import InvalidInput
from forge.work.pipelines.branches import FALLBACK_SLUG, branch_of, slugify, words_pattern
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.pipelines import PipelineItem, PipelineSource
from functions.pipeline.rules.arguments import MAX_NAME, RequestSource, Unusable, source_of, spec_name_of

QUESTIONS = (
    "What shall be different when this is done, and how will you know that it is?",
    "What constraints are there, and what is it not about?",
    "Do you prefer a way to do it, and what should one know before?",
)

_ENDINGS = "|s|es|d|ed|ing"
_LARGE = words_pattern(
    (
        *("migration", "new service", "new api", "new endpoint", "redesign", "architecture", "rewrite"),
        *("移行", "新規サービス", "新しいサービス", "新規api", "新しいapi", "新規エンドポイント", "再設計"),
        *("アーキテクチャ", "書き直", "全面刷新"),
        *("neuer dienst", "neue api", "neuentwurf", "architektur", "nouveau service", "nouvelle api"),
    ),
    _ENDINGS,
)
_SMALL = words_pattern(
    (
        *("validation", "required", "optional", "rename", "renaming", "typo", "label", "message", "toggle"),
        *("toggling", "flag", "visibility", "hide", "hiding", "show", "enable", "enabling", "disable"),
        *("disabling", "バリデーション", "入力チェック", "必須", "任意", "改名", "名称変更", "誤字", "誤植"),
        *("ラベル", "文言", "メッセージ", "トグル", "フラグ", "非表示", "表示", "有効化", "無効化"),
        *("validierung", "umbenennen", "tippfehler", "ausblenden", "renommer", "faute de frappe", "masquer"),
    ),
    _ENDINGS,
)
_SAID_EFFORT = re.compile(r"\s*([SML])(?![A-Za-z0-9])[\s,.:;、。：—–-]*(.*)", re.IGNORECASE | re.DOTALL)
_NOTHING_SAID = (
    "request.md does not say what shall be done, and no agent will know: abandon this one with"
    " pipeline_abandon, and confirm again with task_text or enriched_request_body."
)
ADDED = "## Added by the Person"
_MAIN = frozenset({"", "main", "master"})
_MOST_NAMESAKES = 90
_LEAST_NAME = 3
_MOST_OF_S, _MOST_OF_M = 4, 12
_LINE_BREAKS = re.compile(r"[\r\n]+")


class External(NamedTuple):
    """What the caller fetched of the issue, whatever tracker it is from."""

    type: PipelineSource | None = None
    title: str = ""
    body: str = ""
    story_points: int = 0
    labels: tuple[str, ...] = ()
    issue_type: str = ""
    source_id: str | None = None
    source_url: str | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.title or self.body or self.labels or self.issue_type or self.story_points)

    @property
    def text(self) -> str:
        return f"{self.title}\n\n{self.body}".strip()


class Start(NamedTuple):
    """What a confirmed pipeline begins with."""

    name: str
    branch: str
    source: RequestSource
    request_md: str
    creates_branch: bool = True
    warning: str = ""


def require_one_path(*, has_answers: bool, has_confirmation: bool) -> None:
    if has_answers and has_confirmation:
        wrong = "Give discussion_answers or user_confirmation, not both."
        raise InvalidInput(
            "It is not clear which step this is.",
            issues={"discussion_answers": wrong, "user_confirmation": wrong},
        )


def effort_said(field: str, said: str | None) -> tuple[Effort | None, str]:
    """The effort that the caller asks for, if any, and the words that follow it."""
    if not (said or "").strip():
        return None, ""
    found = _SAID_EFFORT.fullmatch(said or "")
    if found is None:
        raise InvalidInput("Unknown effort.", issues={field: f"One of {', '.join(Effort)}."})
    return Effort(found[1].upper()), found[2].strip()


def effort_of(external: External, task_text: str, override: Effort | None) -> Effort:
    """What was said counts first, then points, then words; most things are medium."""
    if override:
        return override
    if external.story_points >= 1:
        if external.story_points <= _MOST_OF_S:
            return Effort.S
        return Effort.M if external.story_points <= _MOST_OF_M else Effort.L
    text = f"{external.title} {external.body} {task_text}".lower()
    if _LARGE.search(text):
        return Effort.L
    return Effort.S if _SMALL.search(text) else Effort.M


def is_main(branch: str) -> bool:
    return branch in _MAIN


def require_side_branch(current: str, *, skip_pr: bool, offered: str) -> None:
    """A pull request is made of a branch beside the main one; what is pushed there can't be taken back."""
    if skip_pr or not is_main(current):
        return
    here = f"This is {current}" if current else "It is not known which branch this is"
    raise InvalidInput(
        f"{here}, and a pull request needs a branch of its own.",
        issues={
            "user_confirmation.use_current_branch": f"Leave it out, and {offered} is made; or keep it, and"
            " give flags with skip_pr: true."
        },
    )


def enriched(text: str, answers: str) -> str:
    return f"{text}\n\n## Discussion Answers\n\n{answers}".strip()


def request_text(external: External, task_text: str) -> str:
    """All that is known of the request: the issue, and under a heading of its own what was typed with it."""
    if external.is_empty:
        return task_text
    return f"{external.text}\n\n{ADDED}\n\n{task_text}" if task_text else external.text


def with_words(text: str, words: str) -> str:
    """A request with what the caller said when they confirmed it."""
    return f"{text}\n\n## Said at the Start\n\n{words}".strip() if words else text


def source_in(external: External, source_url: str | None, source_id: str | None) -> RequestSource:
    """By the URL before everything else: whoever confirms need not send again what was fetched."""
    url, given_id = external.source_url or source_url, external.source_id or source_id
    found = _issue_at(url)
    kind = found.type if found else external.type or PipelineSource.TEXT
    return RequestSource(kind, given_id or (found.id if found else None), url)


def kind_of(url: str | None) -> PipelineSource | None:
    """The tracker that a URL leads to; None where it leads to no issue."""
    found = _issue_at(url)
    return PipelineSource(found.type) if found else None


def _issue_at(url: str | None) -> RequestSource | None:
    try:
        return source_of(url) if url else None
    except Unusable:
        return None


def lacks_a_name(name: str, external: External, source_id: str | None) -> bool:
    """Whether all that would be left of the name is a number or nothing: texts of other scripts give none."""
    slug = slugify(external.title) if external.title else spec_name_of(name)
    return len(slug) < _LEAST_NAME or slug in (FALLBACK_SLUG, source_id)


def named(name: str, external: External, *, source_id: str | None, slug: str | None) -> str:
    """The date stays; what follows it is the title, or what the person wants it to be called."""
    chosen = ""
    if external.title:
        chosen = slugify(f"{source_id or ''} {external.title}") or FALLBACK_SLUG
    if slug:
        chosen = slugify(f"{source_id or ''}-{slug}") or chosen
    if not chosen:
        return name
    date, dash, _ = name.partition("-")
    return f"{date}-{chosen}" if dash else chosen


def names_like(name: str) -> list[str]:
    """The name itself, and others for when it is taken; each short enough to be asked for again."""
    suffixes = [f"-{number}" for number in range(2, _MOST_NAMESAKES)]
    return [name, *(f"{name[: MAX_NAME - len(suffix)].rstrip('-')}{suffix}" for suffix in suffixes)]


def is_same(one: PipelineItem, wanted: PipelineItem) -> bool:
    """Whether a confirmation repeats one by the same caller, whose pipeline is not over yet."""
    told = ("effort", "request_sha", "skip_pr", "auto_approve", "use_current_branch")
    who = ("created_by_user_id", "created_by_agent_id")
    return not one.is_over and all(getattr(one, name) == getattr(wanted, name) for name in (*told, *who))


def free_place(namesakes: Sequence[PipelineItem | None]) -> int:
    """The number, counted from one, of the first name that no pipeline has."""
    free = next((number for number, one in enumerate(namesakes, 1) if one is None), None)
    if free is None:
        raise InvalidInput(
            "There are too many pipelines of this name today.",
            issues={"user_confirmation.workspace_slug": "Give another one."},
        )
    return free


def namesake(start: Start, number: int) -> Start:
    """The start as the so manieth of its name: with a branch of its own, as the first one has one already."""
    if number == 1:
        return start
    branch = f"{start.branch}-{number}" if start.creates_branch else start.branch
    return start._replace(name=names_like(start.name)[number - 1], branch=branch)


def begin(
    name: str,
    external: External,
    source: RequestSource,
    *,
    body: str,
    task_text: str,
) -> Start:
    """On a branch of its own."""
    classified = " ".join([body, external.title, external.body, task_text])
    branch = branch_of(spec_name_of(name), classified)
    text = body or request_text(external, task_text)
    says_nothing = not (text.strip() or source.url)
    request_md = _request_md(source, text)
    return Start(name, branch, source, request_md, warning=_NOTHING_SAID if says_nothing else "")


def _request_md(source: RequestSource, body: str) -> str:
    lines = ["---", f"source_type: {source.type}"]
    lines += [f"source_url: {_one_line(source.url)}"] if source.url else []
    lines += [f"source_id: {_one_line(source.id)}"] if source.id else []
    head = "\n".join([*lines, "---"]) + "\n"
    return f"{head}\n{body.strip()}\n" if body.strip() else head


def _one_line(text: str) -> str:
    return _LINE_BREAKS.sub(" ", text)
