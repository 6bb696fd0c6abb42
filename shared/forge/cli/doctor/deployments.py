"""Deployments: where everything of a Forge is, found by its stack, its table, or the home of a local one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from forge.cli import function_variables
from forge.cli.calls import BadArguments, default_connection
from forge.clock import system_now
from forge.store.connections import Connections
from forge.store.operators import operators_connections
from forge.store.physical import MACHINES, QUEUES
from forge.store.table import Table
from forge.wire.paths import RPC_PATH

_STACK_TAG = "aws:cloudformation:stack-name"
_NO_STACK = "ValidationError"


@dataclass(frozen=True)
class Deployment:
    """What is known of it by name; whatever is not there is nothing."""

    connections: Connections
    table_name: str
    called: str
    """How it was named."""
    bucket: str = ""
    queues: Mapping[str, str] = field(default_factory=dict)
    """Addresses by the short names of `physical.QUEUES`."""
    failures_queue: str = ""
    """Where the relay's records go that it gave up on."""
    mappings: tuple[str, ...] = ()
    """Ids of what feeds functions from queues and the stream."""
    functions: tuple[str, ...] = ()
    machines: Mapping[str, str] = field(default_factory=dict)
    token_secret: str = ""
    url: str = ""
    is_local: bool = False
    """On one machine nothing is fed by AWS, nothing waits in Step Functions, and nobody backs up."""

    @cached_property
    def table(self) -> Table:
        return Table(self.table_name, self.connections.tables)

    @cached_property
    def described(self) -> Any:
        """The answer about the table, with when it came: several checks are about it."""
        answer: Any = self.connections.dynamodb().describe_table(TableName=self.table_name)
        return {**answer, "at": system_now()}


def at_home(home: Path) -> Deployment:
    """The one that `forge dev` runs from this home."""
    try:
        known = function_variables.read(home)
    except (OSError, ValueError):
        raise BadArguments(
            f"Which Forge? None was started from {home}. Say --stack or --table, and --region; or start one "
            "with `forge dev`."
        ) from None
    keys = known.get("AWS_ACCESS_KEY_ID"), known.get("AWS_SECRET_ACCESS_KEY")
    credentials = (keys[0], keys[1]) if keys[0] and keys[1] else None
    endpoint = known["AWS_ENDPOINT_URL"] or None
    return Deployment(
        operators_connections(known["AWS_REGION"], endpoint, credentials),
        known["FORGE_TABLE"],
        called=str(home),
        bucket=known["FORGE_BUCKET"],
        queues={queue.name: known.get(f"FORGE_QUEUE_{queue.name.upper()}", "") for queue in QUEUES},
        url=default_connection(home).url,
        is_local=True,
    )


def of_stack(connections: Connections, stack: str) -> Deployment:
    """What CloudFormation says that the stack has."""
    client = connections.connect("cloudformation")
    try:
        described: Any = client.describe_stacks(StackName=stack)["Stacks"][0]
    except client.exceptions.ClientError as error:
        if error.response["Error"]["Code"] == _NO_STACK:
            raise BadArguments(
                f"There is no stack {stack} in {connections.region}. `aws cloudformation list-stacks` shows "
                "those that there are."
            ) from None
        raise
    pages = client.get_paginator("list_stack_resources").paginate(StackName=stack)
    resources = [one for page in pages for one in page["StackResourceSummaries"]]
    ids = {one["LogicalResourceId"]: one.get("PhysicalResourceId", "") for one in resources}
    outputs = {one["OutputKey"]: one["OutputValue"] for one in described.get("Outputs", ())}
    if not ids.get("Table"):
        raise BadArguments(f"The stack {stack} has no table: it is none of Forge, or was never complete.")
    return Deployment(
        connections,
        ids["Table"],
        called=f"stack {stack}",
        bucket=ids.get("Bucket", ""),
        queues={queue.name: ids.get(f"{_pascal(queue.name)}Queue", "") for queue in QUEUES},
        failures_queue=ids.get("RelayFailures", ""),
        mappings=_of_type(resources, "AWS::Lambda::EventSourceMapping"),
        functions=_of_type(resources, "AWS::Lambda::Function"),
        machines={name: ids.get(f"{_pascal(name)}Machine", "") for name in MACHINES},
        token_secret=ids.get("TokenSecret", ""),
        # At a domain of its own, where it has one: the API's address may be switched off.
        url=outputs.get("McpUrl", "").removesuffix(RPC_PATH) or outputs.get("Url", ""),
    )


def of_table(connections: Connections, table: str) -> Deployment:
    """The stack that made the table, if one did; else the table alone."""
    alone = Deployment(connections, table, called=f"table {table}")
    client = connections.dynamodb()
    try:
        arn = alone.described["Table"]["TableArn"]
        tags = client.list_tags_of_resource(ResourceArn=arn)["Tags"]
        stack = next((tag["Value"] for tag in tags if tag["Key"] == _STACK_TAG), None)
        return of_stack(connections, stack) if stack else alone
    except client.exceptions.ClientError:
        # Who may not ask for tags or stacks sees the table; the checks say what they could not look at.
        return alone


def _of_type(resources: list[Any], kind: str) -> tuple[str, ...]:
    return tuple(
        one["PhysicalResourceId"]
        for one in resources
        if one["ResourceType"] == kind and one.get("PhysicalResourceId")
    )


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
