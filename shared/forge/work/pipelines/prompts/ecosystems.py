"""What a repository is built and tested with, by the files that its package manager leaves."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from forge.work.pipelines.prompts.sent_files import Tree

_WORKSPACES = ("pnpm-workspace.yaml", "lerna.json", "nx.json", "turbo.json", "go.work", "rush.json")
_MANIFESTS = ("go.mod", "package.json", "Cargo.toml", "pyproject.toml", "pom.xml")
_PYTHON = ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt")
_GRADLE = ("build.gradle", "build.gradle.kts")


class Ecosystem(NamedTuple):
    test_framework: str | None
    build_command: str | None
    test_command: str | None


def found_in(tree: Tree, shares: Mapping[str, int]) -> list[Ecosystem]:
    """The ecosystems that a repository has, the one with most files first."""
    found = [
        (max(shares.get(language, 0) for language in languages), ecosystem)
        for languages, look in _KNOWN
        if (ecosystem := look(tree))
    ]
    return [ecosystem for _, ecosystem in sorted(found, key=lambda one: -one[0])]


def is_monorepo(tree: Tree) -> bool:
    """Whether it holds several packages: a manifest below the root, or one that says so."""
    if tree.has(*_WORKSPACES) or any('"workspaces"' in text for text in tree.texts_of("package.json")):
        return True
    return any("/" in path and path.rpartition("/")[2] in _MANIFESTS for path in tree.paths)


def _go(tree: Tree) -> Ecosystem | None:
    if not tree.has("go.mod"):
        return None
    return Ecosystem("go test", "go build ./...", "go test ./...")


def _node(tree: Tree) -> Ecosystem | None:
    if not tree.has("package.json"):
        return None
    runner = next((name for name in ("vitest", "jest", "mocha") if tree.says(name, "package.json")), None)
    manager = next((name for lock, name in _NODE_LOCKS.items() if tree.has(lock)), "npm")
    scripts = _scripts(tree)
    return Ecosystem(
        runner or "npm test",
        f"{manager} run build" if "build" in scripts else None,
        f"{manager} test" if "test" in scripts else None,
    )


_NODE_LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


def _scripts(tree: Tree) -> set[str]:
    """Of the package in the root, or else of the first one below it."""
    for text in tree.texts_of("package.json"):
        try:
            package: Any = json.loads(text)
        except ValueError:
            continue
        scripts = package.get("scripts") if isinstance(package, dict) else None
        if isinstance(scripts, dict):
            return set(scripts)
    return set()


def _python(tree: Tree) -> Ecosystem | None:
    if not tree.has(*_PYTHON, "setup.py", "pytest.ini", "uv.lock", "poetry.lock"):
        return None
    has_pytest = (
        tree.has("pytest.ini", "conftest.py")
        or (tree.has_folder("tests") and any(path.endswith("/conftest.py") for path in tree.paths))
        or tree.says("pytest", *_PYTHON)
    )
    runner, build = "", "python -m build"
    if tree.has("uv.lock"):
        runner, build = "uv run ", "uv build"
    elif tree.has("poetry.lock") or tree.says("[tool.poetry]", "pyproject.toml"):
        runner, build = "poetry run ", "poetry build"
    is_built = tree.says("[build-system]", "pyproject.toml") or tree.has("setup.py")
    tests = "pytest" if has_pytest else "python -m unittest"
    return Ecosystem("pytest" if has_pytest else "unittest", build if is_built else None, f"{runner}{tests}")


def _rust(tree: Tree) -> Ecosystem | None:
    if not tree.has("Cargo.toml"):
        return None
    return Ecosystem("cargo test", "cargo build", "cargo test")


def _maven(tree: Tree) -> Ecosystem | None:
    if not tree.has("pom.xml"):
        return None
    command = "./mvnw" if tree.has("mvnw") else "mvn"
    return Ecosystem(_java_tests(tree, "pom.xml"), f"{command} package", f"{command} test")


def _gradle(tree: Tree) -> Ecosystem | None:
    if not tree.has(*_GRADLE, "settings.gradle", "settings.gradle.kts"):
        return None
    command = "./gradlew" if tree.has("gradlew") else "gradle"
    return Ecosystem(_java_tests(tree, *_GRADLE), f"{command} build", f"{command} test")


def _java_tests(tree: Tree, *manifests: str) -> str:
    texts = "\n".join(tree.texts_of(*manifests)).lower()
    return "TestNG" if re.search(r"testng|usetestng", texts) else "JUnit"


_KNOWN: tuple[tuple[tuple[str, ...], Callable[[Tree], Ecosystem | None]], ...] = (
    (("Go",), _go),
    (("TypeScript", "JavaScript", "Vue", "Svelte"), _node),
    (("Python",), _python),
    (("Rust",), _rust),
    (("Java", "Kotlin"), _maven),
    (("Java", "Kotlin"), _gradle),
)
