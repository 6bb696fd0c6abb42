"""Builds and deploys the stack with the real SAM, into AWS or an emulator of it."""

import compileall
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from forge.store.connections import Connections

ROOT = Path(__file__).parent.parent
BUILD = ROOT / ".aws-sam" / "build"
LOCAL_TEMPLATE = ROOT / "template.local.yaml"


class CommandFailed(SystemExit):
    """What the command said last."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A deployed stack: what its outputs say."""

    name: str
    outputs: dict[str, str]

    @property
    def api_id(self) -> str:
        return self.outputs["Url"].removeprefix("https://").split(".", 1)[0]


def build(sam: Path) -> None:
    """`sam build` for this machine, then the bytecode that it leaves out."""
    subprocess.run(
        [sys.executable, "-m", "infra.generate", "--local-template", LOCAL_TEMPLATE], cwd=ROOT, check=True
    )
    _quietly([sam, "validate", "--lint", "--template", LOCAL_TEMPLATE], environment=_environment(None))
    command = [sam, "build", "--template", LOCAL_TEMPLATE, "--build-dir", BUILD]
    _quietly(command, environment={**os.environ, "LAYER_OPTIONS": "--this-machine"})
    compileall.compile_dir(
        BUILD, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH, workers=os.cpu_count() or 1
    )


def deploy(
    sam: Path, name: str, connections: Connections, *, template: str = "template.yaml", **parameters: str
) -> Stack:
    """`sam deploy` of what was built; returns when the stack is complete."""
    command = [
        *(sam, "deploy", "--template-file", BUILD / template, "--stack-name", name),
        # A stack that was never complete can only be deleted; one that was goes back to what it was.
        *("--on-failure", "DELETE"),
        *("--resolve-s3", "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset"),
        *("--no-fail-on-empty-changeset", "--no-progressbar", "--parameter-overrides"),
        *(f"{key}={value}" for key, value in parameters.items()),
    ]
    _quietly(command, environment=_environment(connections))
    described: Any = connections.connect("cloudformation").describe_stacks(StackName=name)
    outputs = {one["OutputKey"]: one["OutputValue"] for one in described["Stacks"][0]["Outputs"]}
    return Stack(name, outputs)


def _environment(connections: Connections | None) -> dict[str, str]:
    """Only the emulator's credentials, so that a mistake can't reach a real account."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    kept |= {"SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": "us-east-1"}
    if connections is None:
        return kept
    access_key, secret_key = connections.credentials or ("", "")
    return kept | {
        "AWS_ENDPOINT_URL": connections.endpoint or "",
        "AWS_ACCESS_KEY_ID": access_key,
        "AWS_SECRET_ACCESS_KEY": secret_key,
        "AWS_DEFAULT_REGION": connections.region,
    }


def _quietly(command: list[Any], *, environment: dict[str, str]) -> None:
    """Only a failure shows what the command said."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandFailed(
            f"{' '.join(map(str, command[:2]))} failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        )
