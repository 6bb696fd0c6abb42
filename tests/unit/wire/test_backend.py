"""What a deployment's environment says of it."""

import pytest

from forge.wire.backend import open_backend

PLACES = {"FORGE_TABLE": "table", "FORGE_BUCKET": "bucket"}


@pytest.mark.parametrize(
    ("environment", "known"),
    [({"FORGE_PUBLIC_URL": "https://forge.example.com"}, "https://forge.example.com"), ({}, "")],
)
def test_where_it_is_reached_is_known_only_if_that_is_said(environment: dict[str, str], known: str) -> None:
    assert open_backend({**PLACES, **environment}).services.public_url == known


@pytest.mark.parametrize(
    ("endpoint", "is_here"),
    [({}, False), ({"AWS_ENDPOINT_URL": "http://127.0.0.1:4566"}, True)]
    + [({"AWS_ENDPOINT_URL": f"http://{host}"}, False) for host in ("127.0.0.1.example.com", "10.0.0.1:80")],
)
def test_only_what_has_its_aws_on_this_machine_is_on_it_as_a_whole(
    endpoint: dict[str, str], is_here: bool
) -> None:
    assert open_backend({**PLACES, **endpoint}).services.own_machine is is_here
