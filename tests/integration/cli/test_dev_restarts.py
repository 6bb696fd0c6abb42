"""`forge dev` again: stopped, started on what was kept, and told to use another AWS."""

import signal
from datetime import datetime
from pathlib import Path

from forge.cli.dev import NAME
from forge.cli.emulator import CREDENTIALS, REGION
from forge.store.connections import Connections
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import children_of, is_running


def works_for_everybody(dev: Dev) -> bool:
    known = dev.description["keys"]
    keys = [known["owner"], known["member"], known["readonly"], *known["agents"].values()]
    return [dev.call("workspace.get", key=key).status_code for key in keys] == [200] * 6


def test_it_stops_cleanly_and_a_restart_has_everything(home: Path) -> None:
    with running_dev(home) as dev:
        before, emulator = dev.description, dev.emulator
        dev.add_label("second")
        moved_to = datetime.fromisoformat(dev.advance(40 * 24 * 3600)["now"])

        exit_code = dev.stop(signal.SIGTERM)

        assert exit_code == 0
        assert not is_running(emulator)
        assert "Traceback" not in dev.output
    with running_dev(home) as again:
        emulator = again.emulator
        assert again.description == {**before, "baseUrl": again.base_url}
        assert again.labels() >= {"first", "second"}
        assert works_for_everybody(again)
        assert datetime.fromisoformat(again.advance(0)["now"]) >= moved_to
        assert again.stop(signal.SIGINT) == 0
        assert not is_running(emulator)


def test_a_lost_dev_json_costs_the_keys_and_nothing_else(home: Path) -> None:
    lost = home / "dev.json"
    lost.unlink()

    with running_dev(home) as dev:
        members = dev.call("members.list", key=dev.owner_key, surface="admin").json()["data"]

        assert works_for_everybody(dev)
        assert "first" in dev.labels()
        assert sorted(member["handle"] for member in members) == ["member", "owner"]
        assert lost.stat().st_mode & 0o077 == 0


def test_another_aws_is_used_when_one_is_given(connections: Connections, tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = {
        "AWS_ENDPOINT_URL": str(connections.endpoint),
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
        "AWS_REGION": REGION,
    }
    assert NAME not in connections.dynamodb().list_tables()["TableNames"]

    with running_dev(home, environment) as dev:
        dev.add_label("elsewhere")

        assert "elsewhere" in dev.labels()
        assert children_of(dev.process.pid) == []
        assert not (home / "aws").exists()
        assert dev.stop(signal.SIGTERM) == 0
    assert NAME in connections.dynamodb().list_tables()["TableNames"]
    connections.dynamodb().delete_table(TableName=NAME)
