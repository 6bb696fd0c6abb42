"""`forge doctor` as it is typed: which deployment it finds, and how it ends."""

import json

import pytest

from forge.cli.doctor.deployments import Deployment
from forge.cli.emulator import CREDENTIALS, REGION
from forge.store.connections import Connections
from forge.store.physical import QUEUES
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import forge
from tests.workshop.office import Office


def environment(operators: Connections) -> dict[str, str]:
    return {
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": str(operators.endpoint),
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
    }


def test_the_command_finds_a_stack_by_its_name_or_by_its_table(
    deployment: Deployment, office: Office
) -> None:
    stack = deployment.called.removeprefix("stack ")

    for named in (("--stack", stack), ("--table", deployment.table_name)):
        done = forge("doctor", *named, "--json", **environment(deployment.connections))

        told = json.loads(done.stdout)
        checks = {one["check"]: one["level"] for one in told["findings"]}
        assert (done.returncode, done.stderr, told["worst"]) == (0, "", "skip")
        assert (checks["queues"], checks["table"], checks["keys"]) == ("ok", "ok", "ok")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--stack", "nobody"), 2),
        (("--table", "nobody"), 1),
        (("--home", "/nowhere"), 2),
    ],
)
def test_what_is_not_there_is_told_without_a_trace(
    operators: Connections, words: tuple[str, str], code: int
) -> None:
    done = forge("doctor", *words, **environment(operators))

    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout + done.stderr


def test_a_local_forge_is_well(dev: Dev) -> None:
    done = forge("doctor", "--home", str(dev.home))

    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert all(line.startswith(("✓ ok", "– skip")) for line in lines), done.stdout
    assert any("queues" in line and f"All {len(QUEUES)}" in line for line in lines)
