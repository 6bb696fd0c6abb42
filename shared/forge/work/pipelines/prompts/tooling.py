"""What stands around the code: continuous integration, linters, make targets, folders."""

import re

from forge.work.pipelines.prompts.sent_files import Tree

_CI_FOLDERS = {
    ".github/workflows": "GitHub Actions",
    ".circleci": "CircleCI",
    ".buildkite": "Buildkite",
}
_CI_FILES = {
    ".travis.yml": "Travis CI",
    "Jenkinsfile": "Jenkins",
    ".gitlab-ci.yml": "GitLab CI",
    "azure-pipelines.yml": "Azure Pipelines",
    "bitbucket-pipelines.yml": "Bitbucket Pipelines",
    ".drone.yml": "Drone",
}

_LINTERS = (
    (re.compile(r"\.golangci\.(ya?ml|toml|json)"), "golangci-lint"),
    (re.compile(r"\.eslintrc(\..+)?|eslint\.config\..+"), "eslint"),
    (re.compile(r"biome\.jsonc?"), "biome"),
    (re.compile(r"\.prettierrc(\..+)?|prettier\.config\..+"), "prettier"),
    (re.compile(r"\.?ruff\.toml"), "ruff"),
    (re.compile(r"\.flake8"), "flake8"),
    (re.compile(r"\.?mypy\.ini"), "mypy"),
    (re.compile(r"\.?pylintrc"), "pylint"),
    (re.compile(r"\.?rustfmt\.toml"), "rustfmt"),
    (re.compile(r"\.?clippy\.toml"), "clippy"),
    (re.compile(r"checkstyle\.xml"), "checkstyle"),
    (re.compile(r"\.shellcheckrc"), "shellcheck"),
)
_PYTHON_SECTIONS = {
    "[tool.ruff": "ruff",
    "[tool.black": "black",
    "[tool.mypy": "mypy",
    "[tool.pylint": "pylint",
    "[tool.pyright": "pyright",
}
_FOLDERS = {
    "source": ("src", "lib", "internal", "app", "pkg"),
    "commands": ("cmd", "bin", "scripts"),
    "tests": ("tests", "test", "spec", "__tests__", "e2e"),
    "documentation": ("docs", "doc"),
    "packages": ("packages", "apps", "crates", "services", "modules"),
}
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


def ci_system(tree: Tree) -> str | None:
    of_folder = next((name for folder, name in _CI_FOLDERS.items() if tree.has_folder(folder)), None)
    return of_folder or next((name for file, name in _CI_FILES.items() if file in tree.paths), None)


def linters(tree: Tree) -> list[str]:
    """By the files that configure them, in the root or one folder down."""
    names = [path.rpartition("/")[2] for path in tree.paths if path.count("/") <= 1]
    found = [linter for pattern, linter in _LINTERS if any(pattern.fullmatch(name) for name in names)]
    found += [linter for section, linter in _PYTHON_SECTIONS.items() if tree.says(section, "pyproject.toml")]
    return list(dict.fromkeys(found))


def make_command(tree: Tree, target: str) -> str | None:
    """How a target is made that a Makefile has, in the root or else one folder down."""
    rule = re.compile(rf"^(?:[\w./-]+ +)*{target}(?: +[\w./-]+)* *::?(?!=)", re.MULTILINE)
    for path in tree.near_root(*_MAKEFILES):
        if rule.search(tree.texts.get(path, "")):
            folder = path.rpartition("/")[0]
            return f"make -C {folder} {target}" if folder else f"make {target}"
    return None


def dir_conventions(tree: Tree) -> dict[str, str]:
    """What the folders of the root hold, by names that everybody uses."""
    return {
        what: f"{folder}/"
        for what, folders in _FOLDERS.items()
        if (folder := next((one for one in folders if tree.has_folder(one)), None))
    }
