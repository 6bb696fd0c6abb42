import pytest

from tests.unit.pipeline.starts import begun
from tests.workshop.office import Office


def test_an_issue_of_github_is_recognised_and_what_to_fetch_is_said(office: Office) -> None:
    url = "https://github.com/owner/repo/issues/42"

    answer = office.call("pipeline_init", {"arguments": f"{url} --auto", "current_branch": "main"})

    assert answer["workspace"].endswith("-https-github-com-owner-repo-issues-42")
    assert answer["workspace"].startswith(".specs/")
    assert {
        name: answer[name] for name in ("spec_name", "source_type", "source_url", "source_id", "core_text")
    } == {
        "spec_name": "https-github-com-owner-repo-issues-42",
        "source_type": "github_issue",
        "source_url": url,
        "source_id": "42",
        "core_text": url,
    }
    assert answer["flags"] == {
        "auto": True,
        "skip_pr": False,
        "debug": False,
        "discuss": False,
        "effort_override": None,
        "current_branch": "main",
    }
    assert answer["fetch_needed"]["type"] == "github"
    assert answer["fetch_needed"]["fields"] == ["labels", "title", "body"]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "  ",
        "--auto --nopr",
        "ab",
        "修正",
        "x --effort=XS",
        "http://example.com/issues/1",
        ".specs/nothing",
    ],
)
def test_what_begins_nothing_comes_back_as_errors_and_no_failure(office: Office, typed: str) -> None:
    answer = office.call("pipeline_init", {"arguments": typed})

    assert list(answer) == ["errors"]
    assert len(answer["errors"]) == 1


@pytest.mark.parametrize(
    ("typed", "kind", "source_id"),
    [
        ("https://acme.atlassian.net/browse/SOA-123 please", "jira_issue", "SOA-123"),
        ("https://linear.app/acme/issue/ENG-7/fix-login", "linear_issue", "ENG-7"),
        ("look at .specs/old for how", "workspace", None),
        ("ログイン機能を実装する --nopr", "text", None),
        ("--automatic is just a word", "text", None),
    ],
)
def test_the_source_is_told_by_what_was_typed(
    office: Office, typed: str, kind: str, source_id: str | None
) -> None:
    answer = office.call("pipeline_init", {"arguments": typed})

    assert (answer["source_type"], answer.get("source_id")) == (kind, source_id)
    assert answer["flags"]["auto"] is False
    assert ("fetch_needed" in answer) is (source_id is not None)


def test_a_workspace_that_is_there_is_resumed_by_its_path_or_its_name(office: Office) -> None:
    workspace = begun(office)

    answers = [
        office.call("pipeline_init", {"arguments": typed})
        for typed in (workspace, f"{workspace}/", workspace.removeprefix(".specs/"))
    ]

    expected = {"resume_mode": "auto", "workspace": workspace, "instruction": "call state_resume_info"}
    assert answers == [expected] * 3
