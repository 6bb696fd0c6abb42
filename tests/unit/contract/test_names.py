"""Both spellings of a name, and the suggestion for a misspelt one."""

import pytest

from forge.contract.names import PORTABLE_NAME, camel_case, closest, closest_choice, closest_field, portable

KNOWN = ["issues.create", "issues.list", "issues.listWatchers", "agent.context.bundle", "workspace.get"]


@pytest.mark.parametrize(
    ("canonical", "spelling"),
    [
        ("issues.listWatchers", "issues_listWatchers"),
        ("agent.context.bundle", "agent_context_bundle"),
        ("pipeline_init", "pipeline_init"),
    ],
)
def test_the_portable_spelling_replaces_every_dot_and_nothing_else(canonical: str, spelling: str) -> None:
    assert portable(canonical) == spelling


@pytest.mark.parametrize(
    ("snake", "camel"),
    [
        ("get", "get"),
        ("list_watchers", "listWatchers"),
        ("bulk_set_labels", "bulkSetLabels"),
        ("list_", "list"),
    ],
)
def test_function_names_become_camel_case(snake: str, camel: str) -> None:
    assert camel_case(snake) == camel


@pytest.mark.parametrize("name", ["abc", "issues_listWatchers", "a" * 40, "A1_"])
def test_a_name_every_client_takes_is_portable(name: str) -> None:
    assert PORTABLE_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["", "ab", "a" * 41, "1abc", "_abc", "a.b", "a-b", "a b", "aé_"])
def test_a_name_some_client_refuses_is_not_portable(name: str) -> None:
    assert not PORTABLE_NAME.fullmatch(name)


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("issues.craete", "issues.create"),
        ("issue.create", "issues.create"),
        ("issues_create", "issues.create"),
        ("ISSUES.CREATE", "issues.create"),
        ("create_issue", "issues.create"),
        ("workspce.get", "workspace.get"),
        ("agent_context_bundel", "agent.context.bundle"),
    ],
)
def test_a_misspelt_name_brings_the_one_meant_first(wanted: str, meant: str) -> None:
    assert closest(wanted, KNOWN)[0] == meant


@pytest.mark.parametrize("wanted", ["", "!!!", "zzzzzzqqqq", "名前"])
def test_a_name_like_no_other_brings_no_suggestion(wanted: str) -> None:
    assert closest(wanted, KNOWN) == []


def test_suggestions_are_few() -> None:
    suggestions = closest("issues.list", [f"issues.list{number}" for number in range(50)])

    assert len(suggestions) == 3


def test_a_huge_name_is_compared_by_its_beginning() -> None:
    assert closest("issues.create" + " " * 100 + "z" * 1_000_000, KNOWN, limit=1) == ["issues.create"]


def test_nothing_is_suggested_when_nothing_is_known() -> None:
    assert closest("issues.create", []) == []


FIELDS = ("id", "title", "description", "priority", "projectId", "labelIds", "assignedAgentId", "statusId")


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("project_id", "projectId"),
        ("PROJECT-ID", "projectId"),
        ("prjectId", "projectId"),
        ("desc", "description"),
        ("labels", "labelIds"),
        ("status", "statusId"),
        ("agent", "assignedAgentId"),
        ("assigned agent", "assignedAgentId"),
        ("estimate", None),
        ("x", None),
        ("zzzzqqqq", None),
    ],
)
def test_a_field_is_found_in_whatever_spelling(wanted: str, meant: str | None) -> None:
    assert closest_field(wanted, FIELDS) == meant


def test_what_is_half_alike_is_not_what_was_meant() -> None:
    assert closest("DONE", ["ACTIVE", "WAITING", "COMPLETED", "ABANDONED", "STALLED"]) == []
    assert closest("HIGHEST", ["LOW", "MEDIUM", "HIGH"]) == ["HIGH"]


def test_where_there_are_no_fields_none_is_close() -> None:
    assert closest_field("title", []) is None


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("complete", "completed"),
        ("abandon", "abandoned"),
        ("Merge", "merged"),
        ("compelted", "completed"),
        ("progress", "IN_PROGRESS"),
        ("test", "testing"),
        ("done", None),
        ("finished", None),
        ("in", "IN_PROGRESS"),
        ("", None),
        ("?!", None),
    ],
)
def test_a_choice_is_suggested_only_where_it_is_hardly_in_doubt(given: str, meant: str | None) -> None:
    choices = ["completed", "merged", "abandoned", "IN_PROGRESS", "testing"]

    assert closest_choice(given, choices) == meant


def test_of_choices_that_are_as_likely_none_is_suggested() -> None:
    assert closest_choice("review", ["IN_REVIEW", "REVIEW_DONE"]) is None
    assert closest_choice("review", []) is None
