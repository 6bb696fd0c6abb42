"""What an owner writes: a file, flags over it, and WORKFLOW.md as it stands in a repository."""

from pathlib import Path

import pytest
from typer.main import get_command

from forge.cli.calls import BadArguments
from forge.cli.worker.commands import app
from forge.cli.worker.loop.folders import Folder
from forge.cli.worker.runs.prompts import first_prompt, issue_of
from forge.cli.worker.settings.settings import merged, read_settings
from forge.cli.worker.settings.workflows import Broken, Workflow, parse, rendered

FILE = """
agent = "claude"
slots = 4

[limits]
usd = 5

[checks]
commands = ["make test"]
"""
SYMPHONY = """---
tracker: {kind: linear}
polling: {interval_ms: 2000}
agent: {max_concurrent_agents: 3}
unknown: {is: ignored}
---

Do {{ issue.identifier }}{% if attempt %} again{% endif %}: {{ issue.title }} ({{ issue.labels | join }})
"""
BUNDLE = {
    "issue": {
        "id": "iss_1",
        "identifier": "DEMO-1",
        "title": "Say hello",
        "priority": "HIGH",
        "status": {"name": "Todo"},
        "labels": [{"name": "Bug"}],
    },
    "description": "In a file.",
    "comments": [
        {"kind": "COMMENT", "body": "Politely.", "author": {"name": "Ann"}},
        {"kind": "STATUS", "body": "At it."},
    ],
    "completionContract": {"verificationChecklist": [{"label": "hello.txt is there"}]},
    "runProtocol": {"runId": "run_1", "engagementMode": "EXECUTE", "modeInstruction": "Do it."},
    "relations": [
        {
            "kind": "BLOCKED_BY",
            "direction": "outbound",
            "issue": {"id": "iss_2", "identifier": "DEMO-2", "status": "Done"},
        }
    ],
}


def test_flags_count_more_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "forge-worker.toml"
    file.write_text(FILE, encoding="utf-8")

    settings = read_settings(file, {"agent": "cmd:./x", "slots": None, "child": {"model": "m"}})

    assert (settings.agent, settings.slots, settings.child.model) == ("cmd:./x", 4, "m")
    assert settings.limits.limits().usd == 5
    assert settings.checks.commands == ["make test"]


@pytest.mark.parametrize("text", ["slots = 0", "agent = 'x'\ncolour = 'red'", "not toml", "slots = 2"])
def test_a_file_that_is_wrong_is_refused_with_what_to_write(tmp_path: Path, text: str) -> None:
    file = tmp_path / "forge-worker.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(BadArguments):
        read_settings(file, {})


def test_parts_are_merged_and_all_else_is_replaced() -> None:
    assert merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"c": 3}, "d": [2]}) == {
        "a": {"b": 1, "c": 3},
        "d": [2],
    }


def test_a_workflow_is_followed_as_it_was_written_for_another_tracker() -> None:
    workflow = parse(SYMPHONY)

    assert workflow.wanted == {"poll_seconds": 2.0, "slots": 3}
    assert "linear" in workflow.warning
    assert rendered(workflow.prompt, {"issue": issue_of(BUNDLE, ""), "attempt": None}) == (
        "Do DEMO-1: Say hello (bug)"
    )
    assert "again" in rendered(workflow.prompt, {"issue": issue_of(BUNDLE, ""), "attempt": 1})


def test_a_file_without_front_matter_is_a_prompt() -> None:
    assert parse("Just do it.\n") == Workflow(prompt="Just do it.")
    assert parse("").prompt == ""


@pytest.mark.parametrize(
    "text",
    [
        *("---\nno: end\n", "---\n- a list\n---\n", "---\n{: :\n---\n"),
        *("---\ndue: 2026-99-99\n---\n", f"---\na: {'[' * 5000}\n---\n", f"---\na: {'9' * 5000}\n---\n"),
    ],
)
def test_front_matter_that_is_no_map_is_told(text: str) -> None:
    with pytest.raises(Broken):
        parse(text)


ENDLESS = "{% for a in (1..9000) %}{% for b in (1..9000) %}{{ issue.title }}{% endfor %}{% endfor %}"
ENORMOUS = "{% assign x = issue.title %}" + ("{% capture x %}" + "{{ x }}" * 40 + "{% endcapture %}") * 9


@pytest.mark.parametrize(
    "template",
    ["{{ isue.title }}", "{{ issue.title | shout }}", "{% if %}", ENDLESS, ENORMOUS, "{% include 'x' %}"],
)
def test_a_prompt_that_names_what_is_not_there_is_told_and_not_left_out(template: str) -> None:
    with pytest.raises(Broken):
        rendered(template, {"issue": {"title": "T"}})


def test_a_prompt_has_all_that_whoever_begins_must_know() -> None:
    prompt = first_prompt(BUNDLE, template="", branch="forge/DEMO-1", attempt=None)

    for words in ("Say hello", "In a file.", "Ann: Politely.", "hello.txt is there", "forge/DEMO-1", "run_1"):
        assert words in prompt
    assert "At it." not in prompt
    assert "Do not call runs_complete" in prompt


def test_who_only_looks_reports_by_itself() -> None:
    review = {**BUNDLE, "runProtocol": {"runId": "run_1", "engagementMode": "REVIEW"}}

    prompt = first_prompt(review, template="", branch="", attempt=None)

    assert "End with runs_complete" in prompt
    assert "APPROVE" in prompt


def test_the_issue_has_the_fields_that_templates_name() -> None:
    issue = issue_of(BUNDLE, "forge/DEMO-1")

    assert (issue["priority"], issue["state"], issue["labels"]) == (2, "Todo", ["bug"])
    assert issue["blocked_by"] == [{"id": "iss_2", "identifier": "DEMO-2", "state": "Done"}]


def test_who_a_worker_is_does_not_become_nobody(tmp_path: Path) -> None:
    """A machine that loses its power may leave the file empty."""
    (tmp_path / "instance").touch()

    first = Folder(tmp_path).instance()

    assert first
    assert Folder(tmp_path).instance() == first


def test_which_settings_of_the_current_folder_are_followed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be a folder that somebody else has written."""
    (tmp_path / "forge-worker.toml").write_text("agent = 'cmd:no-such-program'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("FORGE_URL", "FORGE_AGENT_KEY"):
        monkeypatch.delenv(name, raising=False)

    get_command(app).main(["--home", "none"], standalone_mode=False)

    assert str(tmp_path / "forge-worker.toml") in capsys.readouterr().out.replace("\n", "")
