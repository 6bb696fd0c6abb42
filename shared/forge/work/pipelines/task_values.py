"""What is written behind the name of a task's field: a mode, numbers of tasks, or files, in any dress."""

import re
import unicodedata

from forge.work.pipelines.tasks import Mode

_MODES = {
    Mode.SEQUENTIAL: re.compile(r"\bsequential\b", re.IGNORECASE),
    Mode.PARALLEL: re.compile(r"\bparallel\b", re.IGNORECASE),
    Mode.HUMAN_GATE: re.compile(r"\bhuman[\s_-]*gated?\b", re.IGNORECASE),
}
GATE = _MODES[Mode.HUMAN_GATE]
_NONE = re.compile(r"(?:none|no|nothing|n/?a|nil|null|なし|無し|-|–|—|∅)?\.?", re.IGNORECASE)
_REMARK = re.compile(r"\s+[(（【].*?[)）】]|\s+(?:[-–—#]|//)\s+.*$")
_ASIDE = re.compile(rf"[(（【].*?[)）】]|{_REMARK.pattern}|。.*$")
_BETWEEN = re.compile(r"[,;、，・&+]|\band\b|と|(?<=\d)\s+(?=#?\d|tasks?\b|タスク)", re.IGNORECASE)
_DEPENDENCY = re.compile(
    r"(?:tasks?|タスク)?\s*#?\s*(\d{1,6})(?:\s*(?:-|–|—|\.\.\.?|~|〜|to)\s*(?:tasks?\s*)?#?(\d{1,6}))?\.?",
    re.IGNORECASE,
)
_CODE = re.compile(r"`+ ?([^`]+?) ?`+")
_LINK = re.compile(r"!?\[([^\]]+)\]\([^)]*\)")
_BRACKETS = re.compile(r"\[(.*)\]")


def mode_of(value: str) -> Mode | None:
    """What the first word says, unless the rest says something else."""
    named = [mode for mode, word in _MODES.items() if word.search(unicodedata.normalize("NFKC", value))]
    bare = _ASIDE.sub("", unicodedata.normalize("NFKC", value)).strip("*_`\"'“”[]「」 .;,")
    first = next((mode for mode, word in _MODES.items() if word.match(bare)), None)
    others = [mode for mode in named if mode is not first and _MODES[mode].search(bare)]
    is_gate_lost = Mode.HUMAN_GATE in named and first is not Mode.HUMAN_GATE
    return None if others or is_gate_lost else first


def numbers_of(value: str) -> list[int] | None:
    """None where something else than numbers of tasks is named."""
    plain = unicodedata.normalize("NFKC", value).strip("*_`\"' ")
    bare = _ASIDE.sub("", plain).strip("*_`\"'[](){} .")
    if _NONE.fullmatch(bare):
        return []
    found: list[int] = []
    for part in _BETWEEN.split(bare):
        one = _DEPENDENCY.fullmatch(part.strip("*_`\"'[] "))
        if one is None:
            if part.strip("*_`\"'[] "):
                return None
            continue
        first, last = int(one[1]), int(one[2] or one[1])
        if not first <= last <= first + 100:
            return None
        found += range(first, last + 1)
    return found


def files_of(value: str) -> list[str]:
    """Paths without their dress: code marks, links, brackets, quotes, and remarks behind them."""
    text = _LINK.sub(r"\1", value.strip())
    if bracketed := _BRACKETS.fullmatch(text):
        text = bracketed[1]
    parts = re.split(r"[,;、，]\s*", text)
    found = [path for part in parts for path in _CODE.findall(part) or [_undressed(part)]]
    return [path for path in found if path and not _NONE.fullmatch(path)]


def _undressed(path: str) -> str:
    bare = _REMARK.sub("", path).strip().strip("\"'“”")
    for mark in ("**", "__", "*", "_"):
        if bare.startswith(mark) and bare.endswith(mark) and len(bare) > 2 * len(mark):
            bare = bare[len(mark) : -len(mark)]
    return bare.strip()


def is_path(value: str) -> bool:
    paths = files_of(value)
    return bool(paths) and all(" " not in path and ("/" in path or "." in path) for path in paths)
