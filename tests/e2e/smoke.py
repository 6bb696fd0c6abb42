"""What has to work in a deployed stack: each check is a sentence, and uses two teams side by side.

The first team's router invokes functions, the second's runs tools itself.
"""

import re
from functools import partial

from forge.wire.invocation import MARK, VERSION
from forge.wire.pages import DOCS_PATH, PAGES
from forge.work.record.links import CONSOLE_PATH, HOOK_PATH
from infra.deploy import BUILD
from infra.layer import MAX_BYTES, size_of
from infra.stack.data import machine_id
from infra.stack.functions import LAYER
from tests.e2e.client import Client
from tests.e2e.requiring import expect, require
from tests.e2e.teams import Team


def the_layer_is_small(teams: list[Team]) -> None:
    size = size_of(BUILD / LAYER)
    require(0 < size <= MAX_BYTES, f"{size / 1e6:.1f} MB instead of {MAX_BYTES / 1e6:.0f} at most")
    require(not (BUILD / LAYER / "python" / "forge" / "testing").exists(), "the fakes are deployed")


def health_is_public_and_says_which_build_this_is(teams: list[Team]) -> None:
    for team in teams:
        told = expect(team.client.send("/healthz", method="GET"), 200)
        require(told["buildTime"].endswith("Z") and told["gitSha"] != "unknown", told)


def github_s_door_is_public_and_hears_only_what_is_signed(teams: list[Team]) -> None:
    for team in teams:
        told = expect(team.client.send(f"{HOOK_PATH}repo_none", {}, x_github_event="ping"), 401)
        require(told["error"] == "unauthorized", told)


def people_can_read_the_docs_and_all_they_load(teams: list[Team]) -> None:
    for path in PAGES:
        answer = teams[0].client.send(path, method="GET")
        require(answer.status == 200 and len(answer.body) > 0, f"{answer.status} for {path}")
    expect(teams[0].client.send(f"{DOCS_PATH}/x", method="GET"), 404)


def people_can_open_the_console_and_all_it_loads(teams: list[Team]) -> None:
    page = teams[0].client.send(CONSOLE_PATH, method="GET")
    files = re.findall(r'(?:href|src)="(/[^"]+)"', page.body)
    require(page.status == 200 and len(files) > 10, f"{page.status} with {len(files)} files")
    for path in (*files, f"{CONSOLE_PATH}/issues/DEMO-1", f"{CONSOLE_PATH}/repositories/a/b/pulls/1"):
        answer = teams[0].client.send(path, method="GET")
        require(answer.status == 200 and len(answer.body) > 0, f"{answer.status} for {path}")
    expect(teams[0].client.send(f"{CONSOLE_PATH}/assets/0/x.js", method="GET"), 404)


def both_eras_list_and_call(teams: list[Team]) -> None:
    for team in teams:
        for era in (team.client.modern, team.client.legacy):
            listed = expect(era("tools/list"), 200)["result"]["tools"]
            require("workspace_get" in [tool["name"] for tool in listed], listed)
            called = expect(era("tools/call", name="workspace_get", arguments={}), 200)["result"]
            require(called["structuredContent"].get("slug") == team.name, called)


def a_tool_answers_on_its_own_route(teams: list[Team]) -> None:
    for team in teams:
        found = expect(team.client.rest("workspace.get"), 200)
        require(found["slug"] == team.name, found)


def the_other_spelling_goes_through_the_router(teams: list[Team]) -> None:
    found = expect(teams[0].client.rest("workspace_get"), 200)
    require(found["slug"] == teams[0].name, found)
    expect(teams[0].client.rest("workspace_gte"), 404)


def a_refusal_travels_from_the_function_through_the_router(teams: list[Team]) -> None:
    refused = expect(teams[0].client.rest("labels_update", {"id": "lbl_none"}), 404)
    require(refused["error"] == "not_found", refused)
    result = expect(teams[0].client.modern("tools/call", name="labels_create", arguments={}), 200)["result"]
    require(result["isError"] and "name" in result["structuredContent"]["issues"], result)


def the_router_invokes_the_namespaces_own_function(teams: list[Team]) -> None:
    expect(teams[0].client.rest("workspace_get"), 200)
    require("invoke" in teams[0].doors(), f"no invocation among {teams[0].doors()}")


def operators_administer_their_own_team(teams: list[Team]) -> None:
    for team in teams:
        made = expect(
            team.client.rest("agents.create", {"profileKey": "planner", "name": "P"}, surface="admin"), 200
        )
        require(made["profileKey"] == "planner", made)
        for unknown in ("agents_create", "workspace.get", "nothing"):
            refused = expect(team.client.rest(unknown, {}, surface="admin"), 404)
            require(refused["error"] == "not_found", refused)


def teams_see_nothing_of_each_other(teams: list[Team]) -> None:
    alpha, beta = teams
    expect(alpha.client.rest("labels.create", {"name": "only alpha"}), 200)
    seen = expect(beta.client.rest("labels.list"), 200)
    require(seen["data"] == [], seen)
    stranger = Client(alpha.client.endpoint, alpha.stack.api_id, beta.client.key)
    expect(stranger.rest("labels.list"), 401)


def a_change_is_repeated_once_with_its_key(teams: list[Team]) -> None:
    answers = [
        expect(teams[0].client.rest("labels_create", {"name": "once"}, idempotency_key="e2e"), 200)
        for _ in range(2)
    ]
    require(answers[0] == answers[1], answers)


def an_event_is_relayed_and_dispatched(teams: list[Team]) -> None:
    """As far as it goes without a receiver: a try that found nobody."""
    for team in teams:
        order = {"url": "https://nobody.example/", "events": ["PROJECT_CREATED"]}
        expect(team.client.rest("webhooks.create", order, surface="admin"), 200)
        expect(team.client.rest("projects.create", {"key": "WEB", "name": "Website"}), 200)
        require(team.eventually(partial(_is_tried, team)), f"nothing was dispatched for {team.name}")


def _is_tried(team: Team) -> bool:
    found = expect(team.client.rest("webhookDeliveries.list", surface="admin"), 200)
    return any(delivery["attempt"] for delivery in found["data"])


def a_plan_waits_in_a_state_machine_until_a_person_decides(teams: list[Team]) -> None:
    team = teams[0]
    steps = [{"title": "Design schema"}]
    plan = expect(team.client.rest("executionPlans.create", {"title": "Import", "steps": steps}), 200)
    asked = expect(team.client.rest("plans.requestApproval", {"planId": plan["id"]}), 200)
    require(team.eventually(lambda: _executions(team) == ["RUNNING"]), "nothing waits for the approval")

    expect(team.client.rest("actionRequests.accept", {"id": asked["actionRequestId"]}), 200)
    require(team.eventually(lambda: _executions(team) == ["SUCCEEDED"]), "somebody still waits")
    found = expect(team.client.rest("executionPlans.get", {"id": plan["id"]}), 200)
    require(found["status"] == "RUNNING", found)


def _executions(team: Team) -> list[str]:
    """How what waits for approvals stands."""
    machine = team.physical_id(machine_id("plan_approval"))
    listed = team.connections.stepfunctions().list_executions(stateMachineArn=machine)["executions"]
    return [str(one["status"]) for one in listed]


def a_request_can_not_pass_for_the_routers_own_call(teams: list[Team]) -> None:
    forged = {
        MARK: VERSION,
        "tool": "workspace.get",
        "arguments": {},
        "caller": {"workspace_id": "ws_other"},
        "call": {},
    }
    nobody = Client(teams[0].client.endpoint, teams[0].stack.api_id, "")
    expect(nobody.rest("workspace.get", forged), 401)
    expect(teams[0].client.rest("workspace.get", forged), 400)


CHECKS = (
    the_layer_is_small,
    health_is_public_and_says_which_build_this_is,
    github_s_door_is_public_and_hears_only_what_is_signed,
    people_can_read_the_docs_and_all_they_load,
    people_can_open_the_console_and_all_it_loads,
    both_eras_list_and_call,
    a_tool_answers_on_its_own_route,
    the_other_spelling_goes_through_the_router,
    a_refusal_travels_from_the_function_through_the_router,
    the_router_invokes_the_namespaces_own_function,
    operators_administer_their_own_team,
    teams_see_nothing_of_each_other,
    a_change_is_repeated_once_with_its_key,
    an_event_is_relayed_and_dispatched,
    a_plan_waits_in_a_state_machine_until_a_person_decides,
    a_request_can_not_pass_for_the_routers_own_call,
)
