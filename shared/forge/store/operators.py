"""Connections of operators' commands: boto3's clients, patient, with every kind of credentials.

Only what nobody waits for uses them: provisioning, `forge bootstrap`, `forge doctor`, and what restores. No
layer has boto3, so nothing that a function imports may import this module (decision 0041).
"""

from functools import cache
from typing import Any

import boto3
from botocore.config import Config

from forge.store.answers import NoAnswer
from forge.store.botocore_calls import BotocoreRequests
from forge.store.connections import Connections

_CONNECT_SECONDS, _READ_SECONDS = 5, 20
_MOST_TRIES = 4


def operators_connections(
    region: str, endpoint: str | None = None, credentials: tuple[str, str] | None = None
) -> Connections:
    """Where no credentials are given, boto3 looks wherever it does: profiles, single sign-on, roles."""

    # With the first client: a profile that is not there is told by whoever asks AWS something.
    @cache
    def session() -> boto3.Session:
        access_key, secret_key = credentials or (None, None)
        return boto3.Session(access_key, secret_key, region_name=region)

    def make(service: str, **options: Any) -> Any:
        settings = {
            "connect_timeout": _CONNECT_SECONDS,
            "read_timeout": _READ_SECONDS,
            "retries": {"mode": "standard", "total_max_attempts": _MOST_TRIES},
            # Loopback is never behind a proxy, whatever the environment says.
            **({"proxies": {}} if "//127.0.0.1" in (endpoint or "") else {}),
            **options,
        }
        # Its stubs know every service by name, and here is one by its name as a value.
        client: Any = session().client
        try:
            return client(service, endpoint_url=endpoint, config=Config(**settings))
        except ValueError as problem:
            raise NoAnswer(str(problem)) from problem

    connections = Connections(region, endpoint, credentials, make=make)
    connections.send = BotocoreRequests(connections.dynamodb)
    return connections


def operators_like(connections: Connections) -> Connections:
    """To the same AWS, with the same credentials."""
    return operators_connections(connections.region, connections.endpoint, connections.credentials)
