"""Every call has a way: a route leads to its function, and the API may call that."""

import json
import re
from typing import Any

import networkx  # type: ignore[import-untyped]  # has no types; cfn-lint brings it

from forge.contract.terms import Surface
from infra.registry import find_namespaces, find_tools
from infra.stack.api import CALLER, LANES, STAGE
from infra.stack.functions import ADMIN, IN_ROUTER, Target, function_id
from infra.template import template
from tests.contract.permissions import statements_of
from tests.contract.stacks import of_type

RESOURCES: dict[str, Any] = template(find_namespaces(), Target())["Resources"]
INTEGRATIONS = of_type(RESOURCES, "AWS::ApiGatewayV2::Integration")

_TARGET = re.compile(r"integrations/\$\{(\w+)Integration\}")


def targets() -> dict[str, str]:
    """By the key of a route, the function that it leads to."""
    routes = [one["Properties"] for one in of_type(RESOURCES, "AWS::ApiGatewayV2::Route").values()]
    return {one["RouteKey"]: _TARGET.sub(r"\1", one["Target"]["Fn::Sub"]) for one in routes}


def test_every_tool_of_agents_has_a_route_of_its_own_unless_it_lives_in_the_router() -> None:
    routes = targets()

    for tool in find_tools():
        if tool.surface is Surface.MCP:
            own = routes.get(f"POST /api/mcp/{tool.name}")
            assert own == (None if tool.namespace in IN_ROUTER else function_id(tool.namespace)), tool


def test_one_route_leads_to_all_tools_of_operators() -> None:
    leading = {key: function for key, function in targets().items() if "/api/admin" in key}

    assert leading == {"POST /api/admin/{tool}": function_id(ADMIN)}
    assert {tool.namespace for tool in find_tools() if tool.surface is Surface.ADMIN} == {ADMIN}


def test_the_api_may_call_the_functions_behind_its_routes_and_nothing_else() -> None:
    """The emulator asks no role, so nothing but this notices a function that was left out."""
    (statement,) = statements_of(RESOURCES[CALLER], {})
    named = {one["Ref"].removesuffix(".Alias") for one in statement["Resource"]}

    assert statement["Action"] == ["lambda:InvokeFunction"]
    assert named == set(targets().values()) == {name.removesuffix("Integration") for name in INTEGRATIONS}
    assert of_type(RESOURCES, "AWS::Lambda::Permission") == {}


def needed_by(name: str) -> set[str]:
    """What CloudFormation makes before this one."""
    resource = RESOURCES[name]
    ahead = resource.get("DependsOn", [])
    named = re.findall(
        r'"Ref": "(\w+)[".]|"Fn::GetAtt": \["(\w+)"|\$\{(\w+)[}.]', json.dumps(resource["Properties"])
    )
    referred = {one for found in named for one in found if one in RESOURCES}
    return referred | ({ahead} if isinstance(ahead, str) else set(ahead))


WAITS = networkx.DiGraph((name, other) for name in RESOURCES for other in needed_by(name))


def test_few_routes_and_integrations_are_made_at_once() -> None:
    """API Gateway takes ten requests a second of an account; more would fail the first deployment."""
    routes = of_type(RESOURCES, "AWS::ApiGatewayV2::Route")
    made = {*routes, *INTEGRATIONS}

    assert networkx.is_directed_acyclic_graph(WAITS)
    # The most that can be begun at once are the most of which none waits for another: by Dilworth's theorem,
    # as many as it takes chains to cover all, and a matching says how many that is.
    closed = networkx.transitive_closure_dag(WAITS).subgraph(made)
    halves = networkx.Graph((("waits", one), ("first", other)) for one, other in closed.edges)
    waiting = [half for half in halves if half[0] == "waits"]
    matched = networkx.bipartite.hopcroft_karp_matching(halves, waiting)
    assert len(made) - len(matched) // 2 == LANES == 5


def test_the_stage_is_made_when_all_that_it_serves_is_there() -> None:
    routes = of_type(RESOURCES, "AWS::ApiGatewayV2::Route")

    assert networkx.descendants(WAITS, STAGE) >= routes.keys()


def test_every_function_is_called_by_that_role_which_nobody_but_the_api_takes() -> None:
    (trust,) = RESOURCES[CALLER]["Properties"]["AssumeRolePolicyDocument"]["Statement"]

    for integration in INTEGRATIONS.values():
        assert integration["Properties"]["CredentialsArn"] == {"Fn::GetAtt": [CALLER, "Arn"]}
    assert trust["Principal"] == {"Service": "apigateway.amazonaws.com"}
