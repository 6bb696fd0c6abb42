"""Whose tables the tests ask: the emulator's, or those of another DynamoDB that `--tables` names."""

from forge.store.connections import Connections
from forge.store.http_pool import Pool, Server
from forge.store.signed_requests import SignedRequests
from forge.store.signing import Credentials

_PATIENT_SECONDS = 20.0
"""Amazon's engine for one machine is no model of speed: a race must not end because an answer was slow."""


def with_tables_at(url: str, connections: Connections, signer: str) -> Connections:
    """The same AWS, but with its tables there. What signers store is apart from each other."""
    credentials = (signer, "unchecked")
    pool = Pool(Server.at(url), read_seconds=_PATIENT_SECONDS)
    send = SignedRequests(pool, lambda: Credentials(*credentials), connections.region)
    mixed = Connections(connections.region, connections.endpoint, connections.credentials, send=send)
    tables = Connections(connections.region, url, credentials)
    mixed._clients["dynamodb"] = tables.connect("dynamodb", read_timeout=_PATIENT_SECONDS)
    return mixed
