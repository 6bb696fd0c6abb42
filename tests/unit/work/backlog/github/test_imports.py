"""What an imported issue begins with."""

from forge.testing.builders import a_workspace
from forge.work.backlog.github.imports import WantedIssue, first_status, meant
from forge.work.backlog.github.mappings import MappingConfig, StatusRules
from forge.work.issues.issues import MAX_LABELS
from tests.unit.work.backlog.github.seen import a_mapping, a_snapshot


def test_labels_come_from_whoever_imports_from_the_mapping_and_from_github() -> None:
    config = MappingConfig(default_label_ids=["lbl_default"], label_map={"Bug": "lbl_bug", "UI": "lbl_ui"})

    named = meant(a_mapping(), config, ["bug", "unknown"], WantedIssue(label_ids=["lbl_mine", "lbl_bug"]))

    assert named.label_ids == {"lbl_mine", "lbl_bug", "lbl_default"}


def test_of_too_many_labels_those_of_whoever_imports_stay() -> None:
    mine = [f"lbl_{number}" for number in range(MAX_LABELS)]

    named = meant(
        a_mapping(), MappingConfig(default_label_ids=["lbl_default"]), [], WantedIssue(label_ids=mine)
    )

    assert named.label_ids == set(mine)
    assert [one for one in named.ignored if "lbl_default" in one] == [*named.ignored] != []


def test_the_project_is_the_one_asked_for_else_the_mapping_s() -> None:
    config, mapping = MappingConfig(default_project_id="prj_default"), a_mapping(project_id="prj_own")

    assert meant(mapping, config, [], WantedIssue(project_id="prj_mine")).project_id == "prj_mine"
    assert meant(mapping, config, [], WantedIssue()).project_id == "prj_default"
    assert meant(mapping, MappingConfig(), [], WantedIssue()).project_id == "prj_own"


def test_what_is_closed_there_begins_closed_only_where_a_rule_says_so() -> None:
    workspace, closed = a_workspace(), a_snapshot(state="closed")
    rules = MappingConfig(status_rules=StatusRules(issue_closed_status_id="sta_done"))
    lost = MappingConfig(status_rules=StatusRules(issue_closed_status_id="sta_gone"))

    assert first_status(workspace, rules, closed).id == "sta_done"
    assert first_status(workspace, rules, a_snapshot()) == workspace.default_status
    assert first_status(workspace, lost, closed) == workspace.default_status
    assert first_status(workspace, MappingConfig(), closed) == workspace.default_status
