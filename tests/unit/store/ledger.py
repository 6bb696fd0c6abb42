"""A namespace that exists only for tests: one account that tools change, print and lock."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from forge.context import Caller, Context
from forge.contract.catalog import Catalog, load_catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.compiler import compile_catalog
from forge.contract.models import Model, NoArguments
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import NotFound
from forge.store import leases
from forge.store.items import Item
from forge.store.keys import At
from forge.store.store import Store
from forge.testing.world import World
from tests.unit.store.things import a_caller, begin

namespace = Namespace("ledger", "Keep an account.")


class AccountItem(Item):
    stored = At("WS#{workspace_id}#ACCOUNT", "ACCOUNT")

    workspace_id: str
    balance: int = 0


class Amount(Model):
    amount: Annotated[int, Field(description="How much to add.")] = 1


class Balance(Model):
    balance: int


class Statement(Model):
    text: Annotated[str, Field(max_length=100_000, description="What to print.")]


class Fence(Model):
    fence: int


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def add(request: Amount, ctx: Context) -> Balance:
    """Add to the account, whose version decides between those who do it at once."""
    account = _account(ctx)
    changed = account.changed(balance=account.balance + request.amount)
    tx = ctx.plan()
    tx.replace(changed)
    return Balance(balance=changed.balance)


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def print(request: Statement, ctx: Context) -> Statement:
    """Add one to the account, and answer with the text that was given."""
    tx = ctx.plan()
    tx.adjust(AccountItem.at(ctx.caller.workspace_id), add={"balance": 1})
    return request


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def look(request: NoArguments, ctx: Context) -> Balance:
    """Answer with the balance; a change that turns out to change nothing."""
    return Balance(balance=_account(ctx).balance)


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def lock(request: NoArguments, ctx: Context) -> Fence:
    """Take the account's lease for an hour."""
    lease = leases.find(ctx.table, ctx.caller.workspace_id, "account")
    tx = ctx.plan()
    taken = leases.acquire(tx, lease, duration=timedelta(hours=1))
    return Fence(fence=taken.fence)


def _account(ctx: Context) -> AccountItem:
    missing = NotFound("There is no account.")
    return ctx.table.get(AccountItem, AccountItem.at(ctx.caller.workspace_id), missing=missing)


def ledger_catalog() -> Catalog:
    """The shipped tools, and the ones above."""
    document: Mapping[str, list[dict[str, object]]] = compile_catalog([namespace])
    entries = [CatalogTool.from_document(entry) for entry in document["tools"]]
    return Catalog([*load_catalog().tools, *entries])


def a_ledger_world(store: Store) -> World:
    """A Forge with an open account in its workspace."""
    world = World(store=store, catalog=ledger_catalog())
    open_account(store, a_caller(workspace_id=world.workspace.id))
    return world


def open_account(store: Store, owner: Caller) -> None:
    tx = begin(store, caller=owner)
    tx.create(AccountItem(workspace_id=owner.workspace_id))
    store.commit(tx)


def balance_of(store: Store, world: World) -> int:
    missing = NotFound("There is no account.")
    return store.table.get(AccountItem, AccountItem.at(world.workspace.id), missing=missing).balance
