"""Everything a tool can reach of AWS."""

from dataclasses import dataclass, field

from forge.context import Context
from forge.store.blobs import Blobs
from forge.store.executions import Executions, no_executions
from forge.store.queues import Queues
from forge.store.secrets import Secrets, no_secrets
from forge.store.table import Table
from forge.store.transactions import Origin, Transaction


@dataclass(frozen=True, slots=True)
class Store:
    table: Table
    blobs: Blobs
    queues: Queues
    executions: Executions = field(default_factory=no_executions)
    secrets: Secrets = field(default_factory=no_secrets)

    def begin(self, context: Context) -> Transaction:
        origin = Origin(
            caller=context.caller,
            tool=context.tool,
            request_id=context.call.request_id,
            now=context.now(),
            new_id=context.new_id,
            heard=context.heard,
            claims_sleep=context.claims_sleep,
        )
        return Transaction(self.table.name, origin)

    def commit(self, transaction: Transaction) -> None:
        self.table.commit(transaction)
