"""What `forge dev` writes down for functions that are invoked beside it."""

import json
from pathlib import Path

import pytest

from forge.cli import function_variables
from forge.store.connections import Connections
from forge.store.store import Store
from forge.wire.backend import open_backend
from forge.wire.settings import Settings

HERE = Connections("us-east-1", "http://127.0.0.1:4566", ("access", "secret"))


def written(store: Store, connections: Connections = HERE) -> dict[str, str]:
    text = function_variables.written(
        connections, store, token_secret="s" * 40, public_url="http://127.0.0.1:8787"
    )
    found: dict[str, str] = json.loads(text)["Parameters"]
    return found


def test_a_container_finds_the_aws_of_its_host(store: Store) -> None:
    variables = written(store)

    assert variables["AWS_ENDPOINT_URL"] == "http://host.docker.internal:4566"
    assert [name for name, value in variables.items() if "127.0.0.1" in value] == ["FORGE_PUBLIC_URL"]


def test_whoever_brings_an_aws_brings_its_credentials(store: Store) -> None:
    variables = written(store, Connections("eu-west-1", "https://aws.example"))

    assert variables["AWS_ENDPOINT_URL"] == "https://aws.example"
    assert "AWS_ACCESS_KEY_ID" not in variables


def test_a_process_on_this_machine_opens_the_same_store(store: Store, tmp_path: Path) -> None:
    text = function_variables.written(HERE, store, token_secret="s" * 40, public_url="")
    function_variables.file_in(tmp_path).write_text(text)

    environment = function_variables.read(tmp_path)
    services = open_backend(environment).services

    assert services.own_machine
    assert services.store.table.name == store.table.name
    assert set(services.store.queues.urls) == set(store.queues.urls)
    assert not services.store.executions.are_there
    assert Settings.read(environment).functions == {}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"Parameters": 1}'])
def test_a_file_that_is_none_of_ours_is_told(tmp_path: Path, text: str) -> None:
    function_variables.file_in(tmp_path).write_text(text)

    with pytest.raises(ValueError, match=r"."):
        function_variables.read(tmp_path)
