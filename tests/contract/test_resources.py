"""The whole product fits into one stack, with room for what a team adds to it."""

import re
from collections import Counter
from typing import Any

from tests.contract.stacks import of_type, transformed

MAX_RESOURCES = 420
"""What a worker needs came with a route for each of its tools; a team's own fit in besides."""
MAX_RESOURCES_OF_CLOUDFORMATION = 500
OF_CODEDEPLOY = 2
"""What SAM adds where a canary is asked for."""
MAX_ROUTES = 300
MAX_ENVIRONMENT = 4096
LONGEST_FUNCTION_NAME = 64
LONGEST_STACK_NAME = 128
LONGEST_ALIAS = (
    len('"arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function::live",') + LONGEST_FUNCTION_NAME
)
MAX_ROLE = 10_000
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

TEAMS_NAMESPACES, TEAMS_TOOLS = 3, 60
"""What a team may add before it has to think of another stack."""

PER_NAMESPACE = ("Function", "Version", "Alias", "Integration")
PER_WORKER = ("Function", "Role", "EventSourceMapping", "Queue")

RESOURCES = transformed()


def test_a_namespace_costs_what_the_projection_says() -> None:
    issues = {name for name in RESOURCES if name.startswith("IssuesFunction")}
    kinds = Counter(RESOURCES[name]["Type"].split("::")[-1] for name in issues)

    assert kinds == Counter(PER_NAMESPACE)


def test_a_worker_costs_what_the_projection_says() -> None:
    exports = {name for name in RESOURCES if name.startswith("Exports")}
    kinds = Counter(RESOURCES[name]["Type"].split("::")[-1] for name in exports)

    assert kinds == Counter(PER_WORKER)


def test_the_whole_product_stays_below_the_limit_of_cloudformation() -> None:
    added = TEAMS_NAMESPACES * len(PER_NAMESPACE) + TEAMS_TOOLS

    assert len(RESOURCES) + OF_CODEDEPLOY < MAX_RESOURCES
    assert len(RESOURCES) + added <= MAX_RESOURCES_OF_CLOUDFORMATION


def test_the_environment_of_the_router_fits_however_long_the_name_of_the_stack_is() -> None:
    """Lambda takes four kilobytes of names and values together."""
    variables = RESOURCES["RouterFunction"]["Properties"]["Environment"]["Variables"]

    def longest(name: str, value: dict[str, Any]) -> int:
        if "Fn::Sub" in value:
            named = value["Fn::Sub"].replace("${AWS::StackName}", "s" * LONGEST_STACK_NAME)
            return len(re.sub(r"\$\{\w+\}", "f" * LONGEST_FUNCTION_NAME, named))
        kind = RESOURCES.get(value.get("Ref", ""), {}).get("Type", name)
        return LONGEST.get(kind, LONGEST_CHOICE)

    size = sum(len(name) + longest(name, value) for name, value in variables.items())

    assert size <= MAX_ENVIRONMENT


def test_the_rights_of_the_api_fit_into_its_role_however_long_the_names_are() -> None:
    """IAM takes ten thousand characters of policies in a role."""
    (policy,) = RESOURCES["ApiRole"]["Properties"]["Policies"]
    (statement,) = policy["PolicyDocument"]["Statement"]
    functions = len(statement["Resource"]) + TEAMS_NAMESPACES

    assert functions * LONGEST_ALIAS <= MAX_ROLE


def test_the_whole_product_stays_below_the_limit_of_the_http_api() -> None:
    routes = len(of_type(RESOURCES, "AWS::ApiGatewayV2::Route"))

    assert routes + TEAMS_TOOLS <= MAX_ROUTES
