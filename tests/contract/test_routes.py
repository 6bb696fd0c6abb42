"""Every call has a way: a route leads to its function, and the API may call that."""

import re
from typing import Any

from forge.contract.terms import Surface
from infra.registry import find_namespaces, find_tools
from infra.stack.api import CALLER
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


def test_every_function_is_called_by_that_role_which_nobody_but_the_api_takes() -> None:
    (trust,) = RESOURCES[CALLER]["Properties"]["AssumeRolePolicyDocument"]["Statement"]

    for integration in INTEGRATIONS.values():
        assert integration["Properties"]["CredentialsArn"] == {"Fn::GetAtt": [CALLER, "Arn"]}
    assert trust["Principal"] == {"Service": "apigateway.amazonaws.com"}
