"""An entrance in memory, and keys of every sort to try on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from forge.auth.entrance import KeyCheck
from forge.auth.keys import KeyOrder, KeyRecord, mint
from forge.auth.tokens import SigningSecrets, Tokens
from forge.context import Caller, Door, KeyKind, Role
from forge.contract.terms import Scope
from forge.testing.clock import FakeClock
from forge.testing.memory import MemoryKeys

SECRET = "a secret for tests that signs nothing real"

PERSONAL_KEY = KeyOrder(
    name="laptop",
    kind=KeyKind.PERSONAL,
    workspace_id="ws_1",
    scopes=[Scope.READ_ISSUES, Scope.ADMIN],
    user_id="usr_1",
    role=Role.OWNER,
)
AGENT_KEY = KeyOrder(
    name="worker",
    kind=KeyKind.AGENT,
    workspace_id="ws_1",
    scopes=[Scope.READ_ISSUES, Scope.ADMIN],
    linked_agent_id="agt_1",
)


@dataclass
class Entrance:
    clock: FakeClock = field(default_factory=FakeClock)
    keys: MemoryKeys = field(default_factory=MemoryKeys)
    tokens: Tokens = field(default_factory=lambda: Tokens(lambda: SigningSecrets(SECRET)))
    hashes: dict[str, str] = field(default_factory=dict)
    """Of the keys made so far, by the name in their order."""

    def a_key(self, order: KeyOrder = PERSONAL_KEY, **later_changes: Any) -> str:
        """A raw key; the changes are what became of its record since it was made."""
        minted = mint(order, key_id=f"key_{order.name}", now=self.clock())
        self.keys.add(minted.record.replaced(**later_changes))
        self.hashes[order.name] = minted.record.key_hash
        return minted.raw

    def revoke(self, order: KeyOrder = PERSONAL_KEY) -> None:
        self.keys.add(self.record_of(order).replaced(revoked_at=self.clock()))

    def record_of(self, order: KeyOrder = PERSONAL_KEY) -> KeyRecord:
        return self.keys._records[self.hashes[order.name]]

    def a_token(self, order: KeyOrder = PERSONAL_KEY) -> str:
        """A token that stands for the key made to this order."""
        token, _ = self.tokens.mint(
            subject="plugin", workspace_id="ws_1", key_hash=self.hashes[order.name], now=self.clock()
        )
        return token

    def admit(
        self, credential: str, *, door: Door = Door.RPC, headers: Mapping[str, str] | None = None
    ) -> Caller:
        return self.admit_with({"authorization": f"Bearer {credential}", **(headers or {})}, door=door)

    def admit_with(self, headers: Mapping[str, str], *, door: Door = Door.RPC) -> Caller:
        return KeyCheck(self.keys, self.tokens).admit(headers, door, self.clock())
