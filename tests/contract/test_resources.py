"""The whole product fits into one stack: what there is, and what is still to come at today's prices."""

import re
from collections import Counter
from typing import Any

from forge.contract.terms import Surface
from infra.registry import find_tools
from infra.stack.functions import IN_ROUTER
from tests.contract.stacks import of_type, transformed

MAX_RESOURCES = 450
"""CloudFormation refuses more than 500."""
MAX_ROUTES = 300
MAX_ENVIRONMENT = 4096
LONGEST_FUNCTION_NAME = 64
LONGEST_CHOICE = len("PassThrough")
LONGEST = {
    "AWS::SQS::Queue": len("https://sqs.ap-southeast-1.amazonaws.com/123456789012/") + 80,
    "AWS::DynamoDB::Table": 148,
    "AWS::S3::Bucket": 63,
    "AWS::SecretsManager::Secret": 100,
    "FORGE_TEAM": 128,
    "FORGE_PUBLIC_URL": 100,
}
"""What CloudFormation makes of the longest name of a stack, and a generous host."""

NAMESPACES_IN_ALL = 32
"""With a function each: all of the design's but those in the router, and the operators'."""
AGENTS_TOOLS_IN_ALL = 162
OPERATORS_TOOLS_IN_ALL = 35
WORKERS_IN_ALL = 6
"""Relay, sweep, dispatch, waits, long calls, export."""
OTHERS_TO_COME = Counter(
    {
        "queues": 4,
        "roles of namespaces with rights of their own": 4,
        "alarms": 1,
    }
)

PER_NAMESPACE = ("Function", "Version", "Alias", "Integration", "Permission")
PER_WORKER = ("Function", "Role", "EventSourceMapping")

RESOURCES = transformed()


def tools_now(surface: Surface) -> int:
    return sum(tool.surface is surface and tool.namespace not in IN_ROUTER for tool in find_tools())


def namespaces_now() -> int:
    folders = {tool.namespace for tool in find_tools() if tool.surface is Surface.MCP}
    return len(folders - IN_ROUTER)


def workers_now() -> int:
    functions, aliases = (of_type(RESOURCES, f"AWS::Lambda::{kind}") for kind in ("Function", "Alias"))
    return len(functions) - len(aliases)


def to_come() -> int:
    namespaces = NAMESPACES_IN_ALL - namespaces_now()
    routes = AGENTS_TOOLS_IN_ALL - tools_now(Surface.MCP) + OPERATORS_TOOLS_IN_ALL - tools_now(Surface.ADMIN)
    workers = WORKERS_IN_ALL - workers_now()
    assert min(namespaces, routes, workers) >= 0, "there is more than was foreseen: count anew"
    added = namespaces * len(PER_NAMESPACE) + routes + workers * len(PER_WORKER)
    return added + OTHERS_TO_COME.total()


def test_a_namespace_costs_what_the_projection_says() -> None:
    issues = {name for name in RESOURCES if name.startswith("IssuesFunction")}
    kinds = Counter(RESOURCES[name]["Type"].split("::")[-1] for name in issues)

    assert kinds == Counter(PER_NAMESPACE)


def test_the_whole_product_stays_below_the_limit_of_cloudformation() -> None:
    assert len(RESOURCES) + to_come() < MAX_RESOURCES


def test_the_environment_of_the_router_fits_however_long_the_name_of_the_stack_is() -> None:
    """Lambda takes four kilobytes of names and values together."""
    variables = RESOURCES["RouterFunction"]["Properties"]["Environment"]["Variables"]

    def longest(name: str, value: dict[str, Any]) -> int:
        if "Fn::Sub" in value:
            return len(re.sub(r"\$\{\w+\}", "f" * LONGEST_FUNCTION_NAME, value["Fn::Sub"]))
        kind = RESOURCES.get(value.get("Ref", ""), {}).get("Type", name)
        return LONGEST.get(kind, LONGEST_CHOICE)

    size = sum(len(name) + longest(name, value) for name, value in variables.items())

    assert size <= MAX_ENVIRONMENT


def test_the_whole_product_stays_below_the_limit_of_the_http_api() -> None:
    routes = len(of_type(RESOURCES, "AWS::ApiGatewayV2::Route"))
    more = AGENTS_TOOLS_IN_ALL - tools_now(Surface.MCP) + OPERATORS_TOOLS_IN_ALL - tools_now(Surface.ADMIN)

    assert routes + more + OTHERS_TO_COME.total() <= MAX_ROUTES
