"""Repositories: registered, changed and removed by operators."""

from typing import Any

import pytest

from tests.workshop.backlog import Session, a_repository, filed, identifier, labels_of
from tests.workshop.office import Body, Office


def test_a_native_repository_has_a_project_and_the_labels_of_a_backlog(office: Office) -> None:
    made = a_repository(office)

    assert made["webhookSecret"].startswith("whsec_")
    assert (made["fullName"], made["provider"], made["default"]) == ("demo/app", "native", True)
    assert made["projectId"] in [one["id"] for one in office.rows("projects.list")]
    names = {label["name"] for label in office.rows("labels.list")}
    assert {"type:bug", "type:docs", "status:backlog", "status:in-review"} <= names
    (listed,) = office.rows("repositories.list")
    assert "webhookSecret" not in listed
    assert listed == {name: value for name, value in made.items() if name != "webhookSecret"}


def test_labels_that_are_there_are_taken_over_and_deleted_ones_made_again(office: Office) -> None:
    known = office.a_label("Type:Bug")["id"]
    a_repository(office)
    assert [one["id"] for one in office.rows("labels.list") if one["name"].lower() == "type:bug"] == [known]

    office.call("labels.delete", {"id": known})
    number = filed(office)

    assert Session(office, "a").taken(includeTypes=["bug"]) == number


def test_a_name_is_taken_in_any_case_and_a_project_keeps_one_backlog(office: Office) -> None:
    made = a_repository(office)
    order = {"fullName": "Demo/App", "provider": "native"}
    other = {"fullName": "demo/other", "provider": "native", "projectId": made["projectId"]}

    assert office.refused("repositories.register", order)[:2] == (409, "conflict")
    assert office.refused("repositories.register", other)[:2] == (409, "conflict")
    unknown = {**other, "projectId": "prj_unknown"}
    assert office.refused("repositories.register", unknown) == (400, "invalid_input", {"projectId"})


def test_another_project_is_another_backlog(office: Office) -> None:
    made = a_repository(office)
    filed(office)
    project = office.call("projects.create", {"key": "NEW", "name": "New"})["id"]
    office.call("issues.create", {"title": "Its own", "projectId": project})

    updated = office.call("repositories.update", {"id": made["id"], "projectId": project, "readOnly": True})
    office.sweep()

    assert (updated["projectId"], updated["readOnly"]) == (project, True)
    assert [row["title"] for row in office.call("list_backlog")["backlog"]] == ["Its own"]


def test_a_repository_that_is_gone_has_no_backlog_and_its_name_is_free(office: Office) -> None:
    a_repository(office)
    filed(office)

    office.call("repositories.remove", {"fullName": "DEMO/app"})

    assert office.call("list_backlog", {"repository": "demo/app"})["code"] == "REPO_NOT_FOUND"
    assert office.call("list_backlog")["code"] == "REPO_REQUIRED"
    assert office.refused("repositories.remove", {"fullName": "demo/app"})[:2] == (404, "not_found")
    again = a_repository(office)
    office.sweep()
    assert again["default"] is True
    assert len(office.rows("issues.list")) == 1


def test_a_lock_in_a_repository_that_was_removed_leaves_nothing_on_its_issue(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    Session(office, "one").taken()
    office.call("repositories.remove", {"fullName": "demo/app"})
    office.sweep()

    office.world.clock.advance(minutes=31)
    office.sweep()

    shown = office.call("issues.get", {"id": identifier(office, number)})
    assert shown["claimedAt"] is None
    assert labels_of(office, number) == {"type:bug", "status:backlog"}


def on_github(**connection: str) -> dict[str, Any]:
    return {"fullName": "acme/app", "provider": "github", "connection": connection}


@pytest.mark.parametrize("secret", ["forge/github/ws_other/token", "any/token", "arn:aws:s3:::forge"])
def test_a_token_s_secret_is_named_for_the_workspace_and_no_other(office: Office, secret: str) -> None:
    own = f"forge/github/{office.workspace.id}/token"
    made = office.call("repositories.register", on_github(tokenSecretArn=own))

    answer = office.send("repositories.update", {"id": made["id"], "connection": {"tokenSecretArn": secret}})

    assert (answer.status, f"forge/github/{office.workspace.id}/" in answer.body) == (400, True)
    order = on_github(tokenSecretArn=secret) | {"fullName": "acme/other"}
    refused = (400, "invalid_input", {"connection.tokenSecretArn"})
    assert office.refused("repositories.register", order) == refused
    assert office.rows("repositories.list")[0]["connection"]["tokenSecretArn"] == own


@pytest.mark.parametrize("number", ["42/../43", "forty-two", "４２"])
def test_an_installation_is_a_number(office: Office, number: str) -> None:
    refused = (400, "invalid_input", {"connection.installationId"})

    assert office.refused("repositories.register", on_github(installationId=number)) == refused
    made = office.call("repositories.register", on_github(installationId="42"))
    assert made["connection"]["installationId"] == "42"


def test_credentials_are_of_one_kind(office: Office) -> None:
    own = f"forge/github/{office.workspace.id}/token"
    order = on_github(installationId="42", tokenSecretArn=own)

    assert office.refused("repositories.register", order)[2] == {"connection.installationId"}


@pytest.mark.parametrize(
    "url",
    [
        "http://github.example.com/api/v3",
        "https://github.example.com/api/v3?x=1",
        "https://github.example.com/#x",
        "https://10.0.0.1/api/v3",
        "https://github.internal/api/v3",
        "ftp://github.example.com",
        "github.example.com",
    ],
)
def test_a_github_of_one_s_own_is_public_and_secure_unless_operators_except_it(
    office: Office, url: str
) -> None:
    refused = (400, "invalid_input", {"connection.baseUrl"})

    assert office.refused("repositories.register", on_github(baseUrl=url)) == refused


def test_a_github_that_operators_except_may_be_private(office: Office) -> None:
    office.call("workspaces.update", {"webhookAllowedHosts": ["github.internal"]})

    made = office.call("repositories.register", on_github(baseUrl="http://github.internal/api/v3"))

    assert made["connection"]["baseUrl"] == "http://github.internal/api/v3"


@pytest.mark.parametrize("name", ["../app", "acme/..", "./app", "acme/.", "acme/a b", "acme"])
def test_a_name_is_an_owner_and_a_repository_and_no_way_elsewhere(office: Office, name: str) -> None:
    order = {"fullName": name, "provider": "native"}

    assert office.refused("repositories.register", order) == (400, "invalid_input", {"fullName"})


def test_a_repository_s_name_may_begin_with_a_dot(office: Office) -> None:
    made = office.call("repositories.register", {"fullName": "acme/.github", "provider": "native"})

    assert made["fullName"] == "acme/.github"


def test_whoever_registers_one_on_github_is_told_where_its_webhooks_go(office: Office) -> None:
    made = office.call("repositories.register", {"fullName": "acme/app", "provider": "github"})

    assert made["webhookUrl"].endswith(f"/api/github/webhook/{made['id']}")
    assert "webhookUrl" not in a_repository(office)


def a_mapping(office: Office, **config: object) -> Body:
    order = {"fullName": "acme/app", "provider": "github", "config": config}
    return office.call("repositories.register", order)


def test_what_a_mapping_names_is_kept_by_its_id(office: Office) -> None:
    project = office.call("projects.create", {"key": "WEB", "name": "The web"})["id"]
    label, agent = office.a_label("bug")["id"], office.an_agent()
    done = next(one["id"] for one in office.rows("statuses.list") if one["name"] == "Done")
    names = {
        "defaultProjectId": "the web",
        "defaultLabelIds": ["BUG", label],
        "labelMap": {"defect": "bug"},
        "assignedAgentId": agent["profileKey"],
        "claimedById": "me",
        "statusRules": {"prMergedStatusId": "done"},
    }
    ids = {
        "defaultProjectId": project,
        "defaultLabelIds": [label],
        "labelMap": {"defect": label},
        "assignedAgentId": agent["id"],
        "claimedById": office.owner_id,
    }

    registered = a_mapping(office, **names)["config"]
    office.call("repositories.update", {"id": office.rows("repositories.list")[0]["id"], "config": {}})
    (made,) = office.rows("repositories.list")
    changed = office.call("repositories.update", {"id": made["id"], "config": names})["config"]

    for config in (registered, changed):
        assert config.items() >= ids.items()
        assert config["statusRules"]["prMergedStatusId"] == done


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"defaultProjectId": "nowhere"}, "config.defaultProjectId"),
        ({"defaultProjectId": "prj_01ABCDEFGH"}, "config.defaultProjectId"),
        ({"defaultLabelIds": ["bug", "lbl_01ABCDEFGH"]}, "config.defaultLabelIds.1"),
        ({"labelMap": {"defect": "nothing"}}, "config.labelMap.defect"),
        ({"assignedAgentId": "nobody"}, "config.assignedAgentId"),
        ({"claimedById": "usr_01ABCDEFGH"}, "config.claimedById"),
        ({"statusRules": {"prMergedStatusId": "sta_gone"}}, "config.statusRules.prMergedStatusId"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_a_mapping_names_and_is_not_there_is_refused(
    office: Office, config: dict[str, Any], field: str
) -> None:
    office.a_label("bug")
    repository = a_mapping(office)
    order = {"fullName": "acme/other", "provider": "github", "config": config}

    refused = (400, "invalid_input", {field})
    assert office.refused("repositories.register", order) == refused
    assert office.refused("repositories.update", {"id": repository["id"], "config": config}) == refused
    assert [one["fullName"] for one in office.rows("repositories.list")] == ["acme/app"]
