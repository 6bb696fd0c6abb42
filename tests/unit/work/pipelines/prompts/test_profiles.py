"""What the files of a repository tell of it."""

import pytest

from forge.work.pipelines.prompts.profiles import Language, Profile, lines_of, profile_of
from forge.work.pipelines.prompts.sent_files import SentFile


def sent(*paths: str, **texts: str) -> list[SentFile]:
    """Paths as they are, and texts by names in which `__` stands for a dot."""
    with_text = [SentFile(name.replace("__", "."), text) for name, text in texts.items()]
    return [*map(SentFile, paths), *with_text]


def test_languages_are_shares_of_the_files_that_are_written_in_one() -> None:
    profile = profile_of(sent("a.go", "b/c.go", "d.ts", "logo.png", "LICENSE"))

    assert [(one.name, one.percentage) for one in profile.languages] == [("Go", 66), ("TypeScript", 33)]


def test_at_most_five_languages_are_named_and_none_with_less_than_a_percent() -> None:
    many = [f"src/{number}.py" for number in range(300)]

    few = profile_of(sent(*many, "a.md"))
    several = profile_of(sent("a.go", "b.ts", "c.py", "d.rs", "e.java", "f.sh", "g.md"))

    assert [one.name for one in few.languages] == ["Python"]
    assert len(several.languages) == 5


def test_what_others_wrote_says_nothing_of_a_repository() -> None:
    profile = profile_of(sent("main.go", "node_modules/x/index.js", "vendor/y/y.go", "web/dist/app.js"))

    assert [(one.name, one.percentage) for one in profile.languages] == [("Go", 100)]
    assert profile.monorepo is False


def test_go() -> None:
    profile = profile_of(sent("go.mod", "main.go", ".golangci.yml"))

    assert (profile.test_framework, profile.build_command, profile.test_command) == (
        "go test",
        "go build ./...",
        "go test ./...",
    )
    assert profile.linter_configs == ["golangci-lint"]


@pytest.mark.parametrize(
    ("lock", "build", "test"),
    [
        ("package-lock.json", "npm run build", "npm test"),
        ("pnpm-lock.yaml", "pnpm run build", "pnpm test"),
        ("yarn.lock", "yarn run build", "yarn test"),
    ],
)
@pytest.mark.parametrize("runner", ["vitest", "jest", "mocha"])
def test_typescript_is_built_by_its_package_manager_and_tested_by_its_runner(
    lock: str, build: str, test: str, runner: str
) -> None:
    package = f'{{"scripts": {{"build": "tsc", "test": "{runner}"}}, "devDependencies": {{"{runner}": "1"}}}}'

    profile = profile_of(sent("src/a.ts", lock, "eslint.config.mjs", package__json=package))

    assert profile.test_framework == runner
    assert (profile.build_command, profile.test_command) == (build, test)
    assert profile.linter_configs == ["eslint"]


def test_a_package_without_scripts_or_that_is_no_json_has_no_commands() -> None:
    for text in ("{}", "not json", "[]", '{"scripts": []}'):
        profile = profile_of(sent("a.js", package__json=text))

        assert (profile.test_framework, profile.test_command) == ("npm test", None)


@pytest.mark.parametrize(
    ("lock", "build", "test"),
    [
        ("uv.lock", "uv build", "uv run pytest"),
        ("poetry.lock", "poetry build", "poetry run pytest"),
        ("LICENSE", "python -m build", "pytest"),
    ],
)
def test_python_is_run_by_what_locked_it(lock: str, build: str, test: str) -> None:
    text = '[build-system]\n[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\ndev = ["pytest"]'

    profile = profile_of(sent("src/a.py", lock, pyproject__toml=text))

    assert profile.test_framework == "pytest"
    assert (profile.build_command, profile.test_command) == (build, test)
    assert profile.linter_configs == ["ruff", "mypy"]


def test_python_without_a_word_of_pytest_is_tested_by_unittest() -> None:
    profile = profile_of(sent("a.py", "setup.py"))

    assert (profile.test_framework, profile.test_command) == ("unittest", "python -m unittest")


def test_rust() -> None:
    profile = profile_of(sent("Cargo.toml", "src/main.rs", "rustfmt.toml"))

    assert (profile.test_framework, profile.build_command) == ("cargo test", "cargo build")
    assert profile.linter_configs == ["rustfmt"]


def test_java_with_maven_or_gradle_prefers_the_wrapper() -> None:
    maven = profile_of(sent("pom.xml", "mvnw", "src/main/java/A.java"))
    gradle = profile_of(sent("build.gradle.kts", "src/main/java/A.java"))

    assert (maven.test_framework, maven.test_command) == ("JUnit", "./mvnw test")
    assert (gradle.build_command, gradle.test_command) == ("gradle build", "gradle test")


def test_of_two_ecosystems_the_one_that_most_files_are_written_in_counts() -> None:
    profile = profile_of(sent("go.mod", "tool.go", "a.py", "b.py", "c.py", "pyproject.toml", "uv.lock"))

    assert profile.test_command == "uv run python -m unittest"


def test_make_targets_come_before_everything_else_and_variables_are_no_targets() -> None:
    root = profile_of(sent("go.mod", Makefile=".PHONY: build\nbuild: deps\n\tgo build\nlint test: x\n"))
    variable = profile_of(sent("go.mod", Makefile="build := yes\n\ttest: indented\n"))

    assert (root.build_command, root.test_command) == ("make build", "make test")
    assert (variable.build_command, variable.test_command) == ("go build ./...", "go test ./...")


def test_a_makefile_one_folder_down_is_run_there() -> None:
    files = [SentFile("server/Makefile", "test:\n\tgo test"), SentFile("a/b/Makefile", "build:\n")]

    profile = profile_of(files)

    assert (profile.build_command, profile.test_command) == (None, "make -C server test")


@pytest.mark.parametrize(
    ("path", "system"),
    [
        (".github/workflows/ci.yml", "GitHub Actions"),
        (".circleci/config.yml", "CircleCI"),
        (".travis.yml", "Travis CI"),
        ("Jenkinsfile", "Jenkins"),
        (".gitlab-ci.yml", "GitLab CI"),
    ],
)
def test_continuous_integration_is_known_by_its_files(path: str, system: str) -> None:
    assert profile_of(sent(path)).ci_system == system


def test_a_manifest_below_the_root_or_a_workspace_makes_a_monorepo() -> None:
    assert profile_of(sent("package.json", "packages/a/package.json")).monorepo is True
    assert profile_of(sent("pnpm-workspace.yaml")).monorepo is True
    assert profile_of(sent("package.json", "src/a.ts")).monorepo is False
    assert profile_of([]).monorepo is None


def test_branches_are_named_as_most_of_them_are() -> None:
    remote = ["origin/feature/a", "remotes/origin/feature/b", "fix/c", "main"]

    assert profile_of([], branches=remote).branch_naming == "feature/{name}"
    assert profile_of([], branches=["fix/a", "feature/b"]).branch_naming == "feature/{name}"
    assert profile_of([], branches=["main"]).branch_naming is None


def test_folders_are_told_by_names_that_everybody_uses() -> None:
    profile = profile_of(sent("src/a.py", "tests/test_a.py", "docs/a.md"))

    assert profile.dir_conventions == {"source": "src/", "tests": "tests/", "documentation": "docs/"}


def test_what_was_given_is_right_and_the_rest_is_looked_for() -> None:
    profile = profile_of(sent("go.mod", "a.go"), Profile(test_command="just test"))

    assert (profile.test_command, profile.build_command) == ("just test", "go build ./...")


def test_each_line_is_there_only_where_something_is_known() -> None:
    profile = Profile(
        languages=[Language(name="Go", percentage=82), Language(name="TypeScript", percentage=15)],
        build_command="make\nbuild",
        linter_configs=["golangci-lint"],
    )

    assert lines_of(Profile()) == []
    assert lines_of(profile) == [
        "Languages: Go (82%), TypeScript (15%)",
        "Linter: golangci-lint",
        "Build command: make build",
    ]
