"""`make invoke SAM=1`: the real `sam local invoke`, in a container of Lambda's own image."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from forge.cli import function_variables
from forge.cli.local.admission import CONTAINERS_HOST
from infra.generate import this_machine
from infra.invoking.asked import ROOT, CannotBeAsked, Invocation
from infra.invoking.bridge import bridged, gateway
from infra.registry import find_namespaces
from infra.stack.functions import function_id
from infra.template import as_text, template

TEMPLATE = ROOT / "template.invoke.yaml"
BUILD = ROOT / ".aws-sam" / "invoke"
DECLARED = (
    *("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_DEFAULT_REGION"),
    "FORGE_TOKEN_SECRET",
)
"""`sam local invoke` hands over only variables that the template declares. A template that is deployed can't
have these: Lambda refuses some, and an empty endpoint would take the place of an emulator's."""


def invoke(asked: Invocation, sam: Path) -> tuple[Any, str]:
    """The function's answer, and what it wrote meanwhile."""
    if not (shutil.which("docker") or shutil.which("finch")):
        raise CannotBeAsked("SAM=1 needs Docker or Finch. Without SAM=1, make invoke needs neither.")
    environment = _environment(asked.variables)
    _build(asked.folder, sam, environment)
    port = urlsplit(asked.variables["AWS_ENDPOINT_URL"]).port or 80
    with bridged(port, gateway()):
        done = subprocess.run(
            command_for(asked, sam),
            cwd=ROOT,
            env=environment,
            input=json.dumps(asked.event),
            capture_output=True,
            text=True,
            check=False,
        )
    try:
        return json.loads(done.stdout.strip().splitlines()[-1]), done.stderr
    except (ValueError, IndexError):
        raise CannotBeAsked(f"sam local invoke gave no answer:\n{done.stdout}{done.stderr}") from None


def command_for(asked: Invocation, sam: Path) -> list[str | Path]:
    return [
        *(sam, "local", "invoke", function_id(asked.folder), "--template", BUILD / "template.yaml"),
        *("--env-vars", function_variables.file_in(asked.home).absolute(), "--event", "-"),
        *("--add-host", f"{CONTAINERS_HOST}:host-gateway"),
    ]


def write_template() -> None:
    TEMPLATE.write_text(as_text(invoked_template()), encoding="utf-8")


def invoked_template() -> dict[str, Any]:
    """For this machine's Python and processor; declares what the environment file fills in."""
    whole = template(find_namespaces(), this_machine())
    for resource in whole["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["Environment"]["Variables"] |= dict.fromkeys(DECLARED, "")
    return whole


def _build(folder: str, sam: Path, environment: dict[str, str]) -> None:
    write_template()
    command: list[str | Path] = [
        *(sam, "build", function_id(folder), "--template", TEMPLATE, "--build-dir", BUILD)
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"LAYER_OPTIONS": "--this-machine"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CannotBeAsked(f"sam build failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")


def _environment(variables: dict[str, str]) -> dict[str, str]:
    """Where a Forge has credentials of its own, SAM gets none, so that a mistake can't reach an account."""
    has_own = "AWS_ACCESS_KEY_ID" in variables
    kept = {name: value for name, value in os.environ.items() if not (has_own and name.startswith("AWS_"))}
    return kept | {"SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": variables["AWS_DEFAULT_REGION"]}
