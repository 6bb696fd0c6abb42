"""What a repository is like, as far as its files show: for agents that have not looked around yet."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from forge.store.items import Part
from forge.work.pipelines.prompts import ecosystems, tooling
from forge.work.pipelines.prompts.sent_files import SentFile, Tree

_MOST_LANGUAGES = 5
_LANGUAGES = {
    "Go": ("go",),
    "TypeScript": ("ts", "tsx", "mts", "cts"),
    "JavaScript": ("js", "jsx", "mjs", "cjs"),
    "Python": ("py", "pyi"),
    "Rust": ("rs",),
    "Java": ("java",),
    "Kotlin": ("kt", "kts"),
    "Ruby": ("rb",),
    "PHP": ("php",),
    "C": ("c", "h"),
    "C++": ("cc", "cpp", "cxx", "hpp"),
    "C#": ("cs",),
    "Swift": ("swift",),
    "Scala": ("scala",),
    "Vue": ("vue",),
    "Svelte": ("svelte",),
    "SQL": ("sql",),
    "HCL": ("tf", "hcl"),
    "Shell": ("sh", "bash", "zsh"),
    "Markdown": ("md",),
    "JSON": ("json",),
    "YAML": ("yaml", "yml"),
}
_LANGUAGE_OF = {f".{ending}": name for name, endings in _LANGUAGES.items() for ending in endings}
_REMOTES = ("remotes/origin/", "origin/", "refs/heads/")


class Language(Part):
    name: str
    percentage: int


class Profile(Part):
    """Whatever is not known is empty."""

    languages: list[Language] = []
    test_framework: str | None = None
    ci_system: str | None = None
    linter_configs: list[str] = []
    dir_conventions: dict[str, str] = {}
    branch_naming: str | None = None
    build_command: str | None = None
    test_command: str | None = None
    monorepo: bool | None = None
    last_updated: datetime | None = None
    staleness: str | None = None


def profile_of(
    files: Sequence[SentFile], given: Profile | None = None, branches: Sequence[str] = ()
) -> Profile:
    """What the files show; whatever was given besides is right, and is not looked for."""
    tree = Tree.of(files)
    languages = _languages(tree)
    shares = {language.name: language.percentage for language in languages}
    found = ecosystems.found_in(tree, shares)
    seen = Profile(
        languages=languages,
        test_framework=next((one.test_framework for one in found if one.test_framework), None),
        ci_system=tooling.ci_system(tree),
        linter_configs=tooling.linters(tree),
        dir_conventions=tooling.dir_conventions(tree),
        branch_naming=_branch_naming(branches),
        build_command=tooling.make_command(tree, "build")
        or next((one.build_command for one in found if one.build_command), None),
        test_command=tooling.make_command(tree, "test")
        or next((one.test_command for one in found if one.test_command), None),
        monorepo=ecosystems.is_monorepo(tree) if tree.paths else None,
    )
    return over(seen, given)


def over(known: Profile, given: Profile | None) -> Profile:
    """What was known, but for what is given."""
    return known.model_copy(update=_told(given)) if given else known


def lines_of(profile: Profile) -> list[str]:
    """What agents are told, each line only where something is known."""
    languages = ", ".join(f"{one.name} ({one.percentage}%)" for one in profile.languages)
    told: Mapping[str, str | None] = {
        "Languages": languages,
        "Test framework": profile.test_framework,
        "CI system": profile.ci_system,
        "Linter": ", ".join(profile.linter_configs),
        "Build command": profile.build_command,
        "Test command": profile.test_command,
        "Branch naming": profile.branch_naming,
    }
    return [f"{name}: {' '.join(value.split())}" for name, value in told.items() if value]


def _told(given: Profile) -> dict[str, object]:
    values = {name: getattr(given, name) for name in type(given).model_fields}
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def _languages(tree: Tree) -> list[Language]:
    """By number of files, in whole percent."""
    counted = Counter(
        _LANGUAGE_OF[ending]
        for path in tree.paths
        if (ending := PurePosixPath(path).suffix.lower()) in _LANGUAGE_OF
    )
    everything = counted.total()
    ordered = sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:_MOST_LANGUAGES]
    shares = [Language(name=name, percentage=100 * number // everything) for name, number in ordered]
    return [language for language in shares if language.percentage]


def _branch_naming(branches: Sequence[str]) -> str | None:
    """The most common first part of branches that have several."""
    names = []
    for branch in branches:
        name = branch.strip()
        for remote in _REMOTES:
            name = name.removeprefix(remote)
        names.append(name)
    prefixes = Counter(name.partition("/")[0] for name in names if "/" in name)
    if not prefixes:
        return None
    most = max(prefixes.values())
    return f"{min(prefix for prefix, number in prefixes.items() if number == most)}/{{name}}"
