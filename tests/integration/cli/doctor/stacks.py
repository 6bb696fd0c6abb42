"""Stacks to look at, on the emulator: healthy ones, which tests then break."""

import json
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any

from forge import __version__
from forge.cli.doctor import deployments
from forge.cli.doctor.checkup import Checkup
from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level
from forge.clock import system_now
from forge.store.connections import Connections
from forge.store.physical import TTL
from infra.stack.data import TABLE, data_resources
from infra.stack.parameters import CONDITIONS, PARAMETERS
from tests.integration.cli.processes import eventually

MACHINE = {"StartAt": "Waiting", "States": {"Waiting": {"Type": "Wait", "Seconds": 3600, "End": True}}}
_numbers = count(1)


class Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps({"status": "ok", "version": __version__}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


def deployed(operators: Connections, **of_table: Any) -> str:
    """A stack with everything that keeps state, as the template has it; the name of it."""
    name = f"doctor-{next(_numbers)}"
    resources = data_resources()
    resources[TABLE]["Properties"] |= of_table
    template = {
        "Parameters": {"RetainData": PARAMETERS["RetainData"]},
        "Conditions": {"KeepsData": CONDITIONS["KeepsData"]},
        "Resources": resources,
    }
    client = operators.connect("cloudformation")
    client.create_stack(StackName=name, TemplateBody=json.dumps(template))
    eventually(
        lambda: client.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE", name
    )
    return name


def complete(operators: Connections, table: str) -> None:
    """What the emulator leaves out of the template."""
    client = operators.dynamodb()
    client.update_continuous_backups(
        TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    client.update_time_to_live(
        TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL}
    )


def found_in(operators: Connections, stack: str, answering: str) -> Deployment:
    deployment = deployments.of_stack(operators, stack)
    complete(operators, deployment.table_name)
    machine = operators.stepfunctions().create_state_machine(
        name=f"{stack}-approval", definition=json.dumps(MACHINE), roleArn="arn:aws:iam::000000000000:role/x"
    )
    return replace(deployment, machines={"plan_approval": machine["stateMachineArn"]}, url=answering)


def examined(deployment: Deployment, **how: Any) -> list[Finding]:
    checkup = Checkup(deployment, how.pop("version", __version__), system_now(), **how)
    return list(checkup.findings())


def problems(deployment: Deployment, **how: Any) -> list[tuple[str, Level]]:
    found = [one for one in examined(deployment, **how) if one.level in (Level.WARN, Level.FAIL)]
    assert all(one.next for one in found)
    return [(one.check, one.level) for one in found]
