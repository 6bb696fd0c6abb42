"""Checks that reach every function, and every service that functions talk to."""

import json
from typing import Any

from forge.contract.terms import Actor
from infra.events import example_events
from infra.registry import find_namespaces
from infra.stack.functions import SWEEP, function_id, tool_folders
from tests.e2e.client import Client
from tests.e2e.requiring import expect, require
from tests.e2e.teams import Team

_LARGE = "A line that is repeated until no item can hold it.\n" * 3_000


def every_function_answers_on_its_own_route(teams: list[Team]) -> None:
    """As the example of its namespace does; where it names something, there is no such thing yet."""
    folders = find_namespaces()
    examples = example_events(folders)
    for folder in tool_folders(folders):
        event = examples[folder]
        answer = teams[0].client.send(event["rawPath"], json.loads(event["body"]))
        names_something = "Id" in event["body"] or "workspace" in event["body"]
        is_known = answer.status == 404 and answer.body["error"] == "not_found" and names_something
        tool = folders[folder].tools[event["rawPath"].rpartition("/")[2]]
        # The owner asks, and is told so by the function itself.
        is_for_agents = tool.actor is Actor.AGENT and answer.status == 403
        require(answer.status == 200 or is_known or is_for_agents, f"{folder}: {answer}")


def every_changing_namespace_changes_something(teams: list[Team]) -> None:
    """In both modes, over MCP: what the router may do, and what each function may do, is not the same."""
    for team in teams:
        issue = _called(team, "issues_create", title="Ship it")
        _called(team, "labels_create", name="kind")
        project = _called(team, "projects_create", key="ROCKET", name="Rocket")
        _called(team, "comments_create", issueId=issue["id"], body="On it.")
        other = _called(team, "issues_create", title="Test it", projectId=project["id"])
        _called(team, "relations_add", fromIssueId=issue["id"], toIssueId=other["id"], kind="BLOCKS")
        found = _called(team, "issues_get", id=issue["identifier"])
        require(found["title"] == "Ship it", found)


def tools_run_in_the_router_where_it_is_inline(teams: list[Team]) -> None:
    _, inline = teams
    require("invoke" not in inline.doors(), "the inline router invoked a function")
    require("rpc" in inline.doors(), inline.doors())


def a_token_opens_what_its_key_opens(teams: list[Team]) -> None:
    for team in teams:
        keys = expect(team.client.rest("keys.list", surface="admin"), 200)["data"]
        made = expect(team.client.rest("tokens.create", {"keyId": keys[0]["id"]}, surface="admin"), 200)
        bearer = Client(team.client.endpoint, team.client.api_id, made["token"])
        require(expect(bearer.rest("workspace.get"), 200)["slug"] == team.name, "another workspace")
        called = expect(bearer.modern("tools/call", name="workspace_get", arguments={}), 200)["result"]
        require(called["structuredContent"]["slug"] == team.name, called)
        expect(
            Client(team.client.endpoint, team.client.api_id, f"{made['token']}x").rest("workspace.get"), 401
        )


def a_large_text_goes_to_the_bucket_and_comes_back(teams: list[Team]) -> None:
    for team in teams:
        made = _called(team, "artifacts_create", title="Long", body=_LARGE, artifactType="REPORT")
        listed: Any = team.connections.s3().list_objects_v2(Bucket=team.stack.outputs["BucketName"])
        sizes = [one["Size"] for one in listed.get("Contents", [])]
        require(len(_LARGE.encode()) in sizes, f"objects of {sizes} bytes")
        read = expect(team.client.rest("artifacts.get", {"id": made["id"]}), 200)
        require(_LARGE.startswith(read["body"][:1000]) and read["body"], "another text")


def the_sweep_runs(teams: list[Team]) -> None:
    for team in teams:
        function = team.physical_id(function_id(SWEEP))
        answer: Any = team.connections.functions().invoke(FunctionName=function, Payload=b"{}")
        result = json.loads(answer["Payload"].read())
        require("FunctionError" not in answer and result["settled"] >= 0, result)


def a_call_tells_its_figures(teams: list[Team]) -> None:
    for team in teams:
        lines = [line for line in team.log_lines() if "_aws" in line and line.get("message") == "call"]
        require({line["team"] for line in lines} == {team.name}, lines[:1])
        require("issues" in {line["namespace"] for line in lines}, "no figures of issues")
        require(any("coldStarts" in line for line in lines), "no cold start")


def _called(team: Team, tool: str, **arguments: Any) -> Any:
    result = expect(team.client.modern("tools/call", name=tool, arguments=arguments), 200)["result"]
    require(not result["isError"], f"{team.name}: {tool}: {result}")
    return result["structuredContent"]


CHECKS = (
    every_function_answers_on_its_own_route,
    every_changing_namespace_changes_something,
    tools_run_in_the_router_where_it_is_inline,
    a_token_opens_what_its_key_opens,
    a_large_text_goes_to_the_bucket_and_comes_back,
    the_sweep_runs,
    a_call_tells_its_figures,
)
