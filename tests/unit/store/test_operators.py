"""Connections of operators' commands: boto3's, to the same AWS and the same tables."""

import subprocess
import sys
from pathlib import Path

import pytest

from forge.errors import Unavailable
from forge.store.answers import NoAnswer
from forge.store.connections import Connections
from forge.store.operators import operators_connections, operators_like
from forge.store.provision import provision
from forge.store.table import Table
from tests.unit.store.things import ThingItem, find_thing, put, thing_key

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture
def served(served_connections: Connections) -> Connections:
    return served_connections


def test_what_operators_provision_is_used_by_everybody_else(served: Connections) -> None:
    operators = operators_like(served)

    store = provision(served, "forge-test-operators", by=operators)
    put(store, ThingItem(id="one", name="kept"))

    theirs = provision(operators, "forge-test-operators")
    found = find_thing(theirs, "one")
    assert found is not None
    assert found.name == "kept"


def test_an_endpoint_that_is_none_is_told_in_our_words() -> None:
    operators = operators_connections("us-east-1", "nowhere", ("a", "b"))
    # Later with each look: nobody waits here for what does not come.
    table = Table("t", operators.tables, clock=iter(range(0, 900, 60)).__next__)

    with pytest.raises(Unavailable) as told:
        table.find(ThingItem, thing_key("one"))

    assert isinstance(told.value.__cause__, NoAnswer)


def test_no_layer_has_boto3() -> None:
    listed = [
        line.partition("==")[0]
        for file in SHARED.glob("*requirements.txt")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]

    assert "botocore" in listed
    assert not {"boto3", "s3transfer"} & set(listed)


def test_what_functions_are_opened_by_imports_no_boto3() -> None:
    opened = "forge.wire.backend, forge.wire.workers, forge.store.provision"
    code = f"import {opened}, sys; print('boto3' in sys.modules)"

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "False"
