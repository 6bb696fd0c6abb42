import pytest

from tests.unit.pipeline.starts import begun
from tests.workshop.office import Body, Office

WORKSPACE = ".specs/20260401-https-github-com-owner-repo-issues-42"
CONTEXT = {
    "github_labels": ["bug", "priority-high"],
    "github_title": "Fix auth timeout in middleware",
    "github_body": "requests timeout after 30s",
}


def test_the_first_call_says_what_to_confirm_and_stores_nothing(office: Office) -> None:
    given = {
        "workspace": WORKSPACE,
        "task_text": "implement login feature",
        "flags": {"current_branch": "main"},
    }

    asked = office.call("pipeline_init_with_context", given)["needs_user_confirmation"]

    assert (asked["detected_effort"], asked["is_main_branch"], asked["current_branch"]) == ("M", True, "main")
    assert asked["enriched_request_body"] == "implement login feature"
    skipped = {
        effort: [one["phase_id"] for one in option["skipped_phases"]]
        for effort, option in asked["effort_options"].items()
    }
    assert skipped == {
        "S": ["phase-2", "phase-4", "phase-4b", "checkpoint-b", "phase-6"],
        "M": ["phase-4b", "checkpoint-b"],
        "L": [],
    }
    assert [option["recommended"] for option in asked["effort_options"].values()] == [False, True, False]
    assert office.refused("state_resume_info", {"workspace": WORKSPACE})[0] == 404


def test_effort_follows_what_was_said_then_points_then_words(office: Office) -> None:
    def detected(**given: object) -> str:
        answer = office.call("pipeline_init_with_context", {"workspace": WORKSPACE, **given})
        return str(answer["needs_user_confirmation"]["detected_effort"])

    assert detected(task_text="rewrite", flags={"effort_override": "s"}) == "S"
    assert [
        detected(external_context={"jira_story_points": points, "jira_summary": "x"})
        for points in (3, 12, 13, "3", " 12.5 ", "13", "many", "9" * 400, True)
    ] == ["S", "M", "L", "S", "M", "L", "M", "M", "M"]
    assert [detected(task_text=text) for text in ("A new API", "Fix a typo", "ログイン")] == ["L", "S", "M"]


@pytest.mark.parametrize("more", [{}, {"user_confirmation": {"effort": "M"}}])
def test_an_effort_that_there_is_not_is_refused(office: Office, more: Body) -> None:
    given = {"workspace": WORKSPACE, "task_text": "Add login", "flags": {"effort_override": "XL"}, **more}

    refused = office.refused("pipeline_init_with_context", given)

    assert refused == (400, "invalid_input", {"flags.effort_override"})


def test_a_text_can_be_discussed_first(office: Office) -> None:
    given = {"workspace": WORKSPACE, "task_text": "Add login", "flags": {"discuss": True}}

    asked = office.call("pipeline_init_with_context", given)
    answered = office.call("pipeline_init_with_context", {**given, "discussion_answers": "OAuth only"})
    both = {**given, "discussion_answers": "x", "user_confirmation": {"effort": "M"}}

    assert len(asked["needs_discussion"]["questions"]) == 3
    body = answered["needs_user_confirmation"]["enriched_request_body"]
    assert body == "Add login\n\n## Discussion Answers\n\nOAuth only"
    assert office.refused("pipeline_init_with_context", both) == (
        400,
        "invalid_input",
        {"discussion_answers", "user_confirmation"},
    )


def test_a_confirmed_pipeline_has_a_name_a_branch_and_its_request(office: Office) -> None:
    given = {
        "workspace": WORKSPACE,
        "source_id": "42",
        "source_url": "https://github.com/owner/repo/issues/42",
        "external_context": CONTEXT,
        "user_confirmation": {"effort": "M", "workspace_slug": "fix-auth-timeout"},
    }

    ready = office.call("pipeline_init_with_context", given)
    stored = office.call("pipeline_get_artifact", {"workspace": ready["workspace"], "name": "request.md"})

    assert {name: value for name, value in ready.items() if name != "request_md_content"} == {
        "ready": True,
        "workspace": ".specs/20260401-42-fix-auth-timeout",
        "effort": "M",
        "flow_template": "standard",
        "skipped_phases": ["phase-4b", "checkpoint-b"],
        "branch": "fix/42-fix-auth-timeout",
        "create_branch": True,
    }
    assert stored["content"] == ready["request_md_content"]
    assert stored["content"].startswith("---\nsource_type: github_issue\nsource_url: https://github.com/")


def test_the_source_stays_known_without_what_was_fetched(office: Office) -> None:
    """Defect 13."""
    url = "https://github.com/owner/repo/issues/42"
    given = {"workspace": WORKSPACE, "source_url": url, "user_confirmation": {"effort": "L"}}

    ready = office.call("pipeline_init_with_context", given)

    assert "source_type: github_issue" in ready["request_md_content"]
    assert ready["skipped_phases"] == []


def test_who_confirms_without_saying_what_shall_be_done_is_warned(office: Office) -> None:
    confirmed = {"workspace": ".specs/20260401-x", "user_confirmation": {"effort": "S"}}
    url = "https://github.com/owner/repo/issues/42"

    def begun(**more: object) -> Body:
        return office.call("pipeline_init_with_context", {**confirmed, **more})

    assert begun()["warning"]
    assert begun(task_text=" ")["warning"]
    assert "warning" not in begun(task_text="Add a login page")
    assert "warning" not in begun(source_url=url)


def test_a_name_that_is_taken_gets_a_suffix(office: Office) -> None:
    assert [begun(office, task_text=f"Add login page {number}") for number in range(3)] == [
        ".specs/20260401-login",
        ".specs/20260401-login-2",
        ".specs/20260401-login-3",
    ]


def test_what_is_confirmed_again_is_the_same_pipeline_until_it_is_over(office: Office) -> None:
    given = {"workspace": WORKSPACE, "task_text": "Fix it", "user_confirmation": {"effort": "S"}}
    first, again = (office.call("pipeline_init_with_context", given) for _ in range(2))
    of_another = office.call("pipeline_init_with_context", given, key=office.a_colleague().key)
    office.call("pipeline_abandon", {"workspace": first["workspace"]})
    afterwards = office.call("pipeline_init_with_context", given)

    assert again == first | {"warning": again["warning"]}
    assert of_another["workspace"] == f"{first['workspace']}-2"
    assert afterwards["workspace"] == f"{first['workspace']}-3"


def test_the_second_of_a_name_has_a_branch_of_its_own(office: Office) -> None:
    def branch(text: str, **confirmed: object) -> tuple[str, bool]:
        given = {"workspace": ".specs/20260401-" + "long-name-" * 6 + "x", "task_text": text}
        answer = office.call(
            "pipeline_init_with_context",
            {**given, "flags": {"current_branch": "dev"}, "user_confirmation": {"effort": "S", **confirmed}},
        )
        return answer["branch"], answer["create_branch"]

    first, second = branch("Fix it"), branch("Fix it again")
    on_the_current = branch("Fix it", use_current_branch=True)

    assert second == (f"{first[0]}-2", True)
    assert on_the_current == ("dev", False)


@pytest.mark.parametrize("current", ["main", "master", ""])
def test_a_pull_request_is_never_made_of_the_main_branch(office: Office, current: str) -> None:
    given = {"workspace": WORKSPACE, "task_text": "Fix it", "flags": {"current_branch": current}}
    confirmed = {"user_confirmation": {"effort": "S", "use_current_branch": True}}

    status, error, issues = office.refused("pipeline_init_with_context", given | confirmed)
    without = {"flags": {"current_branch": current, "skip_pr": True}}

    assert (status, error, issues) == (400, "invalid_input", {"user_confirmation.use_current_branch"})
    assert office.call("pipeline_init_with_context", given | confirmed | without)["branch"] == current


def test_a_name_with_a_suffix_is_no_longer_than_one_can_be(office: Office) -> None:
    long = ".specs/" + "a" * 97 + "-bc"
    names = [begun(office, workspace=long, task_text=text) for text in ("Add a page", "Add two")]

    assert names == [long, ".specs/" + "a" * 97 + "-2"]
    assert office.call("state_resume_info", {"workspace": names[1]})["workspace"] == names[1]


def test_what_is_no_name_and_no_effort_is_refused(office: Office) -> None:
    for workspace in ("../etc", ".specs/../x", ".specs/UPPER", ".specs/ログイン", ""):
        assert office.refused("state_resume_info", {"workspace": workspace})[:2] == (400, "invalid_input")
    wrong = {"workspace": WORKSPACE, "user_confirmation": {"effort": "XL"}}
    assert office.refused("pipeline_init_with_context", wrong)[2] == {"user_confirmation.effort"}


def test_what_was_fetched_is_understood_under_the_names_of_its_tracker(office: Office) -> None:
    jira = {"summary": "Skip minutes", "description": "Of a job", "story_points": 13, "issue_type": "Bug"}
    given = {
        "workspace": WORKSPACE,
        "source_url": "https://acme.atlassian.net/browse/SOA-123",
        "external_context": jira,
    }

    asked = office.call("pipeline_init_with_context", given)["needs_user_confirmation"]
    confirmed = {**given, "source_id": "SOA-123", "user_confirmation": {"effort": "L"}}
    ready = office.call("pipeline_init_with_context", confirmed)

    assert (asked["detected_effort"], asked["enriched_request_body"]) == ("L", "Skip minutes\n\nOf a job")
    assert ready["workspace"] == ".specs/20260401-soa-123-skip-minutes"
    assert "source_type: jira_issue" in ready["request_md_content"]
    assert ready["request_md_content"].endswith("\nSkip minutes\n\nOf a job\n")


def test_a_description_that_is_no_text_is_left_out(office: Office) -> None:
    document = {"type": "doc", "version": 1, "content": []}
    jira = {"jira_summary": "Skip minutes", "jira_description": document, "jira_issue_type": 7}
    given = {"workspace": WORKSPACE, "external_context": jira}

    asked = office.call("pipeline_init_with_context", given)["needs_user_confirmation"]

    assert asked["enriched_request_body"] == "Skip minutes"


def test_the_tracker_of_the_url_counts_before_what_others_said(office: Office) -> None:
    both = {"github_title": "Of GitHub", "linear_title": "Of Linear", "estimate": 2}
    url = "https://linear.app/acme/issue/ENG-7/anything"

    def body(**given: object) -> str:
        order = {"workspace": WORKSPACE, "external_context": both, **given}
        asked = office.call("pipeline_init_with_context", order)["needs_user_confirmation"]
        return str(asked["enriched_request_body"])

    by_url, by_prefix = body(source_url=url), body()
    plain = body(external_context={"title": "Fix it", "body": "Soon"})

    assert (by_url, by_prefix, plain) == ("Of Linear", "Of GitHub", "Fix it\n\nSoon")
