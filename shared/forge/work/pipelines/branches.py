"""Names made from texts: slugs, and branches whose type follows from what the text is about."""

import re
from collections.abc import Iterable

MAX_SLUG = 60
FALLBACK_SLUG = "task"

_OTHER = re.compile(r"[^a-z0-9]+")
_DATE = re.compile(r"\d{8}-")
_DEFAULT = "feature"
_KEYWORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "fix",
        (
            *("bug", "bugs", "fix", "fixes", "defect", "defects", "hotfix", "hotfixes", "bugfix", "bugfixes"),
            *("バグ", "修正", "不具合", "障害", "fehler", "correctif", "bogue"),
        ),
    ),
    (
        "refactor",
        (
            *("refactor", "refactors", "refactoring", "restructure", "restructures", "restructuring"),
            *("reorganize", "reorganizes", "reorganizing", "リファクタ", "再構成", "構造改善"),
            *("refaktorierung", "umstrukturierung", "refactorisation", "restructuration"),
        ),
    ),
    (
        "docs",
        ("documentation", "readme", "readmes", "docs", "ドキュメント", "文書", "資料", "dokumentation"),
    ),
    (
        "chore",
        (
            *("dependency", "dependencies", "upgrade", "upgrades", "migration", "migrations"),
            *("config", "configs", "configuration", "依存", "アップグレード", "移行", "設定"),
            *("abhängigkeit", "dépendance"),
        ),
    ),
)


def words_pattern(words: Iterable[str], endings: str = "") -> re.Pattern[str]:
    """Words of ASCII letters stand by themselves; others are found within a text that has no spaces."""
    known = [*words]
    whole = "|".join(word for word in known if word.isascii())
    within = "".join(f"|{word}" for word in known if not word.isascii())
    return re.compile(f"(?<![a-z0-9_])(?:{whole})(?:{endings})(?![a-z0-9_]){within}")


_TYPES = tuple((kind, words_pattern(words)) for kind, words in _KEYWORDS)


def slugify(text: str) -> str:
    """`Fix auth timeout!` as `fix-auth-timeout`; empty where nothing is left of a text."""
    return _OTHER.sub("-", text.lower()).strip("-")[:MAX_SLUG].rstrip("-")


def type_of(text: str) -> str:
    """fix, refactor, docs, chore or feature: the first that the text has a word for."""
    return _said_type(text) or _DEFAULT


def branch_of(spec_name: str, text: str) -> str:
    name = _DATE.sub("", spec_name, count=1).lower().replace(" ", "-")
    if len(name) > MAX_SLUG:
        name = name[:MAX_SLUG].rpartition("-")[0] or name[:MAX_SLUG]
    return f"{type_of(text)}/{name}"


def retyped(branch: str, text: str) -> str:
    """The same branch with the type that the text has a word for; without one, it stays as it is."""
    kind, _, name = branch.partition("/")
    said = _said_type(text)
    return f"{said}/{name}" if said and kind and name else branch


def _said_type(text: str) -> str | None:
    lowered = text.lower()
    return next((kind for kind, pattern in _TYPES if pattern.search(lowered)), None)
