"""`forge bootstrap` on a table that was just deployed."""

import json
import os
from typing import Any

import pytest
from typer.testing import CliRunner

from forge.auth.tokens import SigningSecrets
from forge.cli.emulator import CREDENTIALS, REGION
from forge.cli.main import app
from forge.cli.seed import Admin
from forge.contract.catalog import load_catalog
from forge.contract.terms import Scope
from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.world import TOKEN_SECRET
from forge.wire.backend import backend_on
from forge.wire.edge import Edge, Options
from tests.integration.cli.processes import forge

ACME = {"slug": "acme", "key": "ACME", "name": "Acme Corp.", "email": "ada@acme.example"}


def options(**changed: str) -> list[str]:
    return [word for name, value in {**ACME, **changed}.items() for word in (f"--{name}", value)]


@pytest.fixture
def deployed(connections: Connections, store: Store) -> dict[str, str]:
    """The environment of somebody who has just deployed."""
    return {
        "FORGE_TABLE": store.table.name,
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": str(connections.endpoint),
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
    }


def rows_of(store: Store) -> list[Any]:
    rows = store.table.client.ask("Scan", {"TableName": store.table.name})["Items"]
    return sorted(rows, key=lambda row: (row["pk"]["S"], row["sk"]["S"]))


def an_operator(store: Store, key: str) -> Admin:
    backend = backend_on(store, token_secrets=lambda: SigningSecrets(TOKEN_SECRET))
    return Admin(Edge(load_catalog(), backend, Options(write_log=lambda _: None)), key)


def test_it_makes_a_workspace_an_owner_and_a_key_that_works(store: Store, deployed: dict[str, str]) -> None:
    made = forge("bootstrap", *options(), "--json", **deployed)

    assert (made.returncode, made.stderr) == (0, "")
    answer = json.loads(made.stdout)
    operator = an_operator(store, answer["rawKey"])
    workspace = operator.call("workspaces.get")
    (owner,) = operator.call("members.list")["data"]
    (key,) = operator.call("keys.list")["data"]
    assert workspace["id"] == answer["workspaceId"]
    assert (workspace["slug"], workspace["key"], workspace["name"]) == ("acme", "ACME", "Acme Corp.")
    assert (owner["id"], owner["email"], owner["role"]) == (answer["userId"], ACME["email"], "OWNER")
    assert set(key["scopes"]) == {scope.value for scope in Scope}
    assert operator.call("statuses.list", surface="mcp")["data"]


def test_its_text_shows_the_key_on_a_line_of_its_own(store: Store, deployed: dict[str, str]) -> None:
    made = CliRunner(env=dict(deployed)).invoke(app, ["bootstrap", *options()])

    (key,) = [line.strip() for line in made.stdout.splitlines() if line.strip().startswith("forge_sk_")]
    assert made.exit_code == 0
    assert an_operator(store, key).call("workspaces.get")["slug"] == "acme"


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"key": "OTHER", "email": "bob@acme.example"},
        {"slug": "other", "email": "bob@acme.example"},
        {"slug": "other", "key": "OTHER"},
        {"slug": "other", "key": "OTHER", "email": "ADA@Acme.example"},
    ],
    ids=["everything", "slug", "key", "e-mail", "e-mail in another case"],
)
def test_what_exists_is_refused_and_nothing_changes(
    store: Store, deployed: dict[str, str], changed: dict[str, str]
) -> None:
    runner = CliRunner(env=dict(deployed))
    assert runner.invoke(app, ["bootstrap", *options()]).exit_code == 0
    before = rows_of(store)

    again = runner.invoke(app, ["bootstrap", *options(**changed)])

    assert again.exit_code == 1
    assert len(again.output.splitlines()) == 1
    assert "forge_sk_" not in again.output
    assert rows_of(store) == before


def test_another_workspace_of_another_owner_may_follow(store: Store, deployed: dict[str, str]) -> None:
    runner = CliRunner(env=dict(deployed))
    runner.invoke(app, ["bootstrap", *options()])
    other = options(slug="other", key="OTHER", email="bob@other.example")

    made = runner.invoke(app, ["bootstrap", *other, "--json"])

    assert made.exit_code == 0
    assert an_operator(store, json.loads(made.stdout)["rawKey"]).call("workspaces.get")["slug"] == "other"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("slug", value) for value in ("", "-", "Acme", "acme-", "a b", "acme\n", "a" * 41, "ácme")],
        *[("key", value) for value in ("", "A", "acme", "A-1", "ACMEACMEX", "ACME\n", "ÄÄ")],
        *[("email", value) for value in ("", "ada", "ada@acme", "a b@c.de", "ada@acme.example\n", "@.")],
    ],
    ids=repr,
)
def test_what_is_malformed_is_refused_before_anything_is_asked_of_aws(option: str, value: str) -> None:
    nowhere = {"FORGE_TABLE": "none", "AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_REGION": REGION}

    refused = CliRunner(env=dict(nowhere)).invoke(app, ["bootstrap", *options(**{option: value})])

    assert refused.exit_code == 2
    assert f"--{option}" in refused.output


def test_who_has_no_credentials_is_told_so_and_not_to_wait() -> None:
    nobody = {
        "FORGE_TABLE": "forge-Table-1",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    nowhere = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}

    refused = forge("bootstrap", *options(), **nobody, **nowhere)

    assert refused.returncode == 1
    assert "forge-Table-1" in refused.stderr
    assert "credentials" in refused.stderr


def test_the_region_is_found_where_other_tools_find_it(store: Store, deployed: dict[str, str]) -> None:
    elsewhere = {"AWS_DEFAULT_REGION": deployed.pop("AWS_REGION"), **deployed}

    assert forge("bootstrap", *options(), **elsewhere).returncode == 0


@pytest.mark.parametrize("option", ["--slug", "--key", "--name", "--email", "--table"])
def test_everything_has_to_be_said(option: str) -> None:
    words = [*options(), "--table", "none"]
    position = words.index(option)

    refused = CliRunner(env={"FORGE_TABLE": None}).invoke(
        app, ["bootstrap", *words[:position], *words[position + 2 :]]
    )

    assert refused.exit_code == 2
