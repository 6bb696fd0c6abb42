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
