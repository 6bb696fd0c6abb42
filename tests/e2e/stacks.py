"""Stacks in the emulator, deployed as `make deploy` does it: by the program, from a file for each team."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from forge.store.connections import Connections
from infra.deploy import BUILD, quietly, without_account
from infra.teams.configurations import Configuration, Place

EMULATED = BUILD / "emulated.yaml"
_ACCOUNT = "000000000000"
ENVIRONMENT = "prod"


@dataclass(frozen=True, slots=True)
class Stack:
    """A deployed stack: what its outputs say."""

    name: str
    outputs: dict[str, str]

    @property
    def api_id(self) -> str:
        return self.outputs["Url"].removeprefix("https://").split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Workbench:
    """What it takes to deploy into the emulator."""

    sam: Path
    connections: Connections
    folder: Path
    """Where the teams' files are."""

    def deploy(self, team: str, template: Path | None = None, /, **parameters: str) -> Stack:
        place = Place(team, ENVIRONMENT)
        configuration = Configuration.of(place, _ACCOUNT, self.connections.region, **parameters)
        configuration.write(place, place.file(self.folder))
        self.run(team, "--yes", "--built", str(template or EMULATED))
        described: Any = self.connections.connect("cloudformation").describe_stacks(
            StackName=configuration.stack
        )
        outputs = {one["OutputKey"]: one["OutputValue"] for one in described["Stacks"][0]["Outputs"]}
        return Stack(configuration.stack, outputs)

    def run(self, team: str, *options: str) -> str:
        """The program, with nothing but the emulator's credentials: a mistake can't reach a real account."""
        named = ("--team", team, "--env", ENVIRONMENT, "--configurations", str(self.folder))
        command = [sys.executable, "-m", "infra.deploy", "--sam", self.sam, *named, *options]
        access_key, secret_key = self.connections.credentials or ("", "")
        environment = {
            **without_account(),
            "AWS_ENDPOINT_URL": self.connections.endpoint or "",
            "AWS_ACCESS_KEY_ID": access_key,
            "AWS_SECRET_ACCESS_KEY": secret_key,
        }
        return quietly(command, environment=environment)


def emulated(template: Path, into: Path = EMULATED) -> Path:
    """The same for the emulator, which knows no alarms on several figures: there they watch the first."""
    document = yaml.load(template.read_text(encoding="utf-8"), yaml.CSafeLoader)
    for resource in document["Resources"].values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::CloudWatch::Alarm" and "Metrics" in properties:
            queries = properties.pop("Metrics")
            queries = queries["Fn::If"][1] if "Fn::If" in queries else queries
            stat = next(one["MetricStat"] for one in queries if "MetricStat" in one)
            properties |= {**stat["Metric"], "Period": stat["Period"], "Statistic": stat["Stat"]}
    into.write_text(yaml.safe_dump(document), encoding="utf-8")
    return into
