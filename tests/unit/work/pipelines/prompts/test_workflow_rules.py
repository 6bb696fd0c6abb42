"""Which tasks a repository gives to people."""

import pytest

from forge.errors import InvalidInput
from forge.work.pipelines.prompts.workflow_rules import RuledTask, parse, violations

RULES = """---
rules:
  - id: migrations
    when:
      files_match: ["db/migrations/**", "**/*.sql"]
    require: human_gate
    reason: A person runs migrations.
  - id: releases
    when:
      files_match: ["**"]
      title_matches: "(?i)release"
    require: human_gate
    reason: Only people release.
---
Free text for people.
"""


def a_task(
    number: str = "1", *, title: str = "Ship", files: tuple[str, ...] = ("a.py",), mode: str = "parallel"
) -> RuledTask:
    return RuledTask(number, title, files, mode)


def test_a_task_that_touches_a_file_of_a_rule_needs_a_person() -> None:
    found = violations(parse(RULES), [a_task(files=("src/a.py", "`db/migrations/2026/1.py`"))])

    assert [(one.task_number, one.rule_id) for one in found] == [("1", "migrations")]
    assert "A person runs migrations." in found[0].description


def test_a_task_that_is_given_to_a_person_violates_nothing() -> None:
    assert violations(parse(RULES), [a_task(files=("x/y.sql",), mode="human_gate")]) == []


def test_all_conditions_of_a_rule_must_hold() -> None:
    rules = parse(RULES)

    assert violations(rules, [a_task(title="Release it", files=())]) == []
    assert [one.rule_id for one in violations(rules, [a_task(title="RELEASE it")])] == ["releases"]


def test_violations_stand_in_the_order_of_tasks_and_then_of_rules() -> None:
    tasks = [
        a_task("10", title="release", files=("1.sql",)),
        a_task("x", files=("1.sql",)),
        a_task("2", title="release"),
    ]

    found = violations(parse(RULES), tasks)

    assert [(one.task_number, one.rule_id) for one in found] == [
        ("2", "releases"),
        ("10", "migrations"),
        ("10", "releases"),
        ("x", "migrations"),
    ]


def test_no_text_is_no_rules() -> None:
    assert parse(None) == parse(" \n") == parse("---\nrules: []\n---\n") == []


@pytest.mark.parametrize(
    ("glob", "path", "does_match"),
    [
        ("**/*.sql", "a.sql", True),
        ("**/*.sql", "a/b/c.sql", True),
        ("*.sql", "a/b.sql", False),
        ("db/**", "db/a/b", True),
        ("db/**", "db", False),
        ("db/**/x.py", "db/x.py", True),
        ("src/?.py", "src/ab.py", False),
        ("src/[a-c].py", "src/b.py", True),
        ("src/[!a-c].py", "src/b.py", False),
        ("a[/]b", "a/b", False),
        ("*.{ts,tsx}", "a.tsx", True),
        ("a.b", "aXb", False),
    ],
)
def test_globs_cross_folders_only_by_two_stars(glob: str, path: str, does_match: bool) -> None:
    rules = parse(
        f"---\nrules:\n- {{id: a, when: {{files_match: ['{glob}']}}, require: human_gate, reason: b}}\n---"
    )

    assert bool(violations(rules, [a_task(files=(path,))])) is does_match


ONE = "---\nrules:\n- {rule}\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        "no front matter",
        "---\nrules: []\n",
        "---\nother: 1\n---",
        "---\nrules: []\nmore: 1\n---",
        "---\nrules: [\n---",
        "---\n- a\n---",
        "---\nrules: 2026-99-99\n---",
        "---\nrules: " + "[" * 3000 + "\n---",
        ONE.format(rule="{id: a, when: {title_matches: x}, require: nothing, reason: b}"),
        ONE.format(rule="{id: a, when: {}, require: human_gate, reason: b}"),
        ONE.format(rule="{when: {title_matches: x}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {title_matches: x}, require: human_gate}"),
        ONE.format(rule="{id: a, when: {title_matches: x}, require: human_gate, reason: b, if: c}"),
        ONE.format(rule="{id: a, when: {title_matches: '('}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {title_matches: '(a+)+$'}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {title_matches: 'a*a*a*a*b'}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {files_match: ['a[b']}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {files_match: ['{a']}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {files_match: ['a}']}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {files_match: ['[z-a]']}, require: human_gate, reason: b}"),
        ONE.format(rule="{id: a, when: {files_match: []}, require: human_gate, reason: b}"),
        f"---\nrules: []\n---\n{'x' * 64_000}",
    ],
)
def test_rules_that_can_not_be_read_are_refused_with_the_reason(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(text)

    assert refused.value.hint
