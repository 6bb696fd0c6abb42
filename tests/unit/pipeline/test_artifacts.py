from typing import Any

from tests.unit.pipeline.starts import ask, begun, up_to
from tests.workshop.office import Office


def test_a_new_version_keeps_the_old_one(office: Office) -> None:
    workspace = begun(office)
    put = {"workspace": workspace, "name": "design.md"}

    first = office.call("pipeline_put_artifact", {**put, "content": "## 設計"})
    second = office.call("pipeline_put_artifact", {**put, "content": "## Two"})

    assert (first, second) == (
        {"name": "design.md", "size": 9, "version": 1},
        {"name": "design.md", "size": 6, "version": 2},
    )
    newest = office.call("pipeline_get_artifact", put)
    oldest = office.call("pipeline_get_artifact", {**put, "version": 1})
    assert [(one["content"], one["version"]) for one in (oldest, newest)] == [("## 設計", 1), ("## Two", 2)]
    rows = office.rows("pipeline_list_artifacts", {"workspace": workspace})
    assert [(row["name"], row["version"]) for row in rows] == [("design.md", 2), ("request.md", 1)]


def test_a_review_that_was_dropped_can_still_be_read_by_its_version(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")
    review = {"workspace": workspace, "name": "review-design.md"}

    ask(office, workspace, user_response="revise")

    assert office.refused("pipeline_get_artifact", review)[:2] == (404, "not_found")
    assert office.call("pipeline_get_artifact", {**review, "version": 1})["version"] == 1


def test_what_is_no_artifact_or_too_large_is_refused(office: Office) -> None:
    workspace = begun(office)

    def refused(**given: object) -> tuple[int, str]:
        return office.refused("pipeline_put_artifact", {"workspace": workspace, **given})[:2]

    for name in ("request.md", "state.json", "../design.md", "impl-x.md"):
        assert refused(name=name, content="x") == (400, "invalid_input")
    assert refused(name="design.md", content="x" * (1024 * 1024 + 1)) == (413, "payload_too_large")
    assert refused(name="design.md", size=5_000_000) == (413, "payload_too_large")
    assert refused(name="design.md", content="x", size=3) == (400, "invalid_input")
    assert refused(name="design.md", uploadId="upl_1") == (404, "not_found")


def test_a_large_file_is_sent_to_its_own_url_and_then_taken_in(office: Office) -> None:
    workspace = begun(office)
    put = {"workspace": workspace, "name": "design.md"}
    text = "## Approach\n" + "x" * 1_100_000

    upload = office.call("pipeline_put_artifact", {**put, "size": len(text)})
    name = f"uploads/{office.workspace.id}/20260401-login/design.md/{upload['uploadId']}"
    office.world.services.store.blobs.put_text(name, text)
    stored = office.call("pipeline_put_artifact", {**put, "uploadId": upload["uploadId"]})

    assert upload["uploadUrl"].startswith("http")
    assert stored == {"name": "design.md", "size": len(text), "version": 1}
    assert office.call("pipeline_get_artifact", put)["content"] == text


def test_the_profile_and_the_rules_count_from_the_next_action_on(office: Office) -> None:
    workspace = begun(office)
    rules = (
        "---\nrules:\n  - id: deploy\n    when: {title_matches: All}\n"
        "    require: human_gate\n    reason: People deploy.\n---\n"
    )
    profile = {"test_command": "make test"}
    given = {"workspace": workspace, "profile": profile, "instructions": rules, "files": [{"path": "a.py"}]}

    answer = office.call("pipeline_set_profile", given)
    first = ask(office, workspace)
    up_to(office, workspace, "phase-4")
    tasks = {"name": "tasks.md", "content": "## Task 1: All of it\n"}
    broken = ask(office, workspace, previous_action_complete=True, artifacts=[tasks])

    assert (answer["languages"], answer["testCommand"], answer["rules"]) == (["Python"], "make test", 1)
    assert "Test command: make test" in first["prompt"]
    assert broken["report_result"]["next_action_hint"] == "revision_required"
    unreadable = {"workspace": workspace, "instructions": "no front matter"}
    assert office.refused("pipeline_set_profile", unreadable) == (400, "invalid_input", {"instructions"})


def test_what_is_left_out_of_a_profile_stays_as_it_was(office: Office) -> None:
    workspace = begun(office)
    rules = (
        "---\nrules:\n  - id: deploy\n    when: {title_matches: All}\n"
        "    require: human_gate\n    reason: People deploy.\n---\n"
    )
    told: list[dict[str, Any]] = [
        {"files": [{"path": "a.py"}], "instructions": rules},
        {"profile": {"test_command": "make test"}},
        {"profile": {"build_command": "make"}},
        {"files": [{"path": "a.go"}, {"path": "go.mod"}]},
    ]

    answers = [office.call("pipeline_set_profile", {"workspace": workspace, **one}) for one in told]

    assert [one["rules"] for one in answers] == [1, 1, 1, 1]
    assert [one["languages"] for one in answers] == [["Python"], ["Python"], ["Python"], ["Go"]]
    assert (answers[-1]["testCommand"], answers[-1]["buildCommand"]) == ("make test", "make")


def test_a_name_may_come_with_the_path_of_its_own_pipeline_and_no_other(office: Office) -> None:
    workspace = begun(office)
    name = f"{workspace}/analysis.md"

    put = office.call("pipeline_put_artifact", {"workspace": workspace, "name": name, "content": "A"})
    got = office.call("pipeline_get_artifact", {"workspace": workspace, "name": name})

    assert (put["name"], got["name"], got["content"]) == ("analysis.md", "analysis.md", "A")
    other = {"workspace": workspace, "name": ".specs/20260101-x/analysis.md", "content": "A"}
    assert office.refused("pipeline_put_artifact", other)[0] == 400


def test_an_abandoned_pipeline_takes_no_artifacts(office: Office) -> None:
    workspace = begun(office)
    office.call("pipeline_abandon", {"workspace": workspace})
    put = {"workspace": workspace, "name": "analysis.md", "content": "A"}

    assert office.refused("pipeline_put_artifact", put)[:2] == (409, "conflict")


def test_who_sends_an_issue_in_fields_that_nobody_knows_is_told_which_there_are(office: Office) -> None:
    given = {"workspace": ".specs/20260401-x", "external_context": {"issueTitle": "A", "text": "B"}}

    assert office.refused("pipeline_init_with_context", given)[:3] == (
        400,
        "invalid_input",
        {"external_context"},
    )
