"""Opens the backend of a deployment: table, bucket, queues, token secret."""

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from forge.auth.tokens import SigningSecrets, Tokens
from forge.clock import new_id, system_now
from forge.context import Services
from forge.outbound.outbound import Outbound
from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.executions import Executions
from forge.store.physical import MACHINES, QUEUES
from forge.store.queues import Queues
from forge.store.secrets import ROOT, Secrets, versions_of
from forge.store.store import Store
from forge.store.table import Table
from forge.wire.edge import Backend
from forge.work.workspace.people.authentication import TableKeys

if TYPE_CHECKING:
    from forge.work.workspace.workspaces import WorkspaceItem


def open_backend(environment: Mapping[str, str] = os.environ) -> Backend:
    """The deployment that this environment describes. Connects to nothing yet."""
    connections = connections_of(environment)
    urls = {queue.name: environment.get(f"FORGE_QUEUE_{queue.name.upper()}", "") for queue in QUEUES}
    store = Store(
        Table(environment["FORGE_TABLE"], connections.tables),
        Blobs(environment["FORGE_BUCKET"], connections.s3, connections.patient_s3),
        Queues(urls, connections.sqs),
        Executions(_machines(environment), connections.stepfunctions),
        Secrets(connections.secrets, environment.get("FORGE_SECRETS", ROOT)),
    )
    backend = backend_on(
        store,
        token_secrets=_token_secrets(environment, connections),
        own_machine=_is_on_one_machine(environment),
        public_url=environment.get("FORGE_PUBLIC_URL", ""),
    )
    return backend._replace(prepare=lambda: store.table.client)


_HERE = ("http://127.0.0.1:", "http://localhost:", "http://host.docker.internal:")


def _is_on_one_machine(environment: Mapping[str, str]) -> bool:
    """Whose AWS is on this machine is there as a whole, and so are those that it tells."""
    return environment.get("AWS_ENDPOINT_URL", "").startswith(_HERE)


def _machines(environment: Mapping[str, str]) -> dict[str, str]:
    """Only who starts executions is told where."""
    found = {name: environment.get(f"FORGE_MACHINE_{name.upper()}") for name in MACHINES}
    return {name: arn for name, arn in found.items() if arn}


def connections_of(environment: Mapping[str, str]) -> Connections:
    return Connections(
        region=environment.get("AWS_REGION", "us-east-1"),
        endpoint=environment.get("AWS_ENDPOINT_URL") or None,
    )


def _token_secrets(environment: Mapping[str, str], connections: Connections) -> Callable[[], SigningSecrets]:
    """Fetched with the first token: most callers send keys."""

    def fetch() -> SigningSecrets:
        if "FORGE_TOKEN_SECRET" in environment:
            return SigningSecrets(environment["FORGE_TOKEN_SECRET"])
        return SigningSecrets(*versions_of(connections.secrets(), environment["FORGE_TOKEN_SECRET_ARN"]))

    return fetch


def backend_on(
    store: Store,
    *,
    token_secrets: Callable[[], SigningSecrets],
    now: Callable[[], datetime] = system_now,
    ids: Callable[[str], str] = new_id,
    own_machine: bool = False,
    public_url: str = "",
) -> Backend:
    services = Services(
        now,
        ids,
        StoredWorkspaces(store.table),
        store,
        Tokens(token_secrets),
        Outbound(),
        own_machine,
        public_url,
    )
    return Backend(TableKeys(store.table), services)


class StoredWorkspaces:
    """Workspaces on the table. Their item is pydantic, so it is loaded with the first tool that asks."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, workspace_id: str) -> "WorkspaceItem":
        from forge.work.workspace import workspaces

        return workspaces.get(self._table, workspace_id)
