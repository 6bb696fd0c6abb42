"""Mistakes that would stay green if nobody looked for them: each is planted here, and each is caught.

What catches them is what declarations, the store, mypy and the walks go by: nothing is checked here alone.
"""

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any, cast

import pytest
from mypy import api as mypy

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import Model, NoArguments, Page
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Partition, SharedKey
from forge.store.places import In
from forge.store.readings import CutInSilence, Rows, Unbounded
from forge.store.table import CEILING, Table
from forge.store.transactions import Origin, Transaction, Unguarded
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.contract.costs import mistakes_in_costs
from tests.contract.crowds import SAYS_NOT, mistakes_in_pages
from tests.contract.sources import ROOT, Source, mistakes_in

Row = dict[str, dict[str, str]]


class AggregateItem(Item):
    stored = At("WS#{workspace_id}#THING", "META")

    workspace_id: str = "1"


class RowItem(DerivedItem):
    stored = At("WS#{workspace_id}#THINGS", "1")

    workspace_id: str = "1"


class Thing(Model):
    id: str


def change(request: NoArguments, ctx: Context) -> Thing:
    """Change a thing."""
    return Thing(id="1")


def list_all(request: NoArguments, ctx: Context) -> Page[Thing]:
    """List things."""
    return Page[Thing](data=[])


def a_transaction() -> Transaction:
    return Transaction("t", cast(Origin, None))


def a_table(answers: list[dict[str, Any]]) -> Table:
    """One that answers queries with these, one after the other."""

    class Answering:
        def ask(self, *_: object) -> dict[str, Any]:
            return answers.pop(0)

    return Table("t", cast(Any, Answering))


def rows(number: int) -> list[Row]:
    return [{"pk": {"S": "WS#1#THINGS"}, "sk": {"S": str(place)}} for place in range(number)]


@pytest.mark.parametrize("effect", [Effect.MUTATING, Effect.EXTERNAL_EXEC])
@pytest.mark.parametrize("scopes", [[], [Scope.READ_ISSUES]])
def test_a_tool_that_changes_something_without_a_writing_scope(effect: Effect, scopes: list[Scope]) -> None:
    declare = Namespace("planted", "Planted.").tool

    with pytest.raises(TypeError, match="scope"):
        declare(effect=effect, scopes=scopes)(change)
    with pytest.raises(TypeError, match="scope"):
        declare(effect=effect, scopes=[Scope.WRITE_ISSUES], unscoped_because="It has one.")(change)
    assert declare(effect=effect, scopes=scopes, unscoped_because="It is the caller's own.")(change)


@pytest.mark.parametrize(
    "plant",
    [
        lambda tx: tx.overwrite(AggregateItem()),
        lambda tx: tx.keep_up(AggregateItem()),
        lambda tx: tx.forget(AggregateItem()),
        lambda tx: tx.forget(AggregateItem().key),
        lambda tx: tx.tally(AggregateItem().key, "count", 1),
        lambda tx: tx.merge(AggregateItem().key, add={"count": 1}),
    ],
)
def test_a_write_without_a_condition_of_what_follows_from_nothing(plant: Callable[[Any], None]) -> None:
    tx = a_transaction()

    with pytest.raises(Unguarded):
        plant(tx)
    assert tx.writes == []


@pytest.mark.parametrize(
    "plant",
    [
        lambda: At("THINGS#{id}", "META"),
        lambda: In("updated", "THINGS#{kind}", "{id}"),
        lambda: Partition("THINGS#{id}", outside="it would be handy"),
        lambda: In("nowhere", "WS#{workspace_id}#THINGS", "{id}"),
    ],
)
def test_a_place_outside_its_workspace_or_in_no_index(plant: Callable[[], object]) -> None:
    """What an item has not that its templates name: tests/unit/store/test_places.py."""
    with pytest.raises(TypeError):
        plant()


def test_what_follows_from_something_is_written_without_a_condition() -> None:
    tx = a_transaction()
    tx.overwrite(RowItem())
    tx.forget(RowItem())
    tx.tally(SharedKey("WS#1#COUNTS", "things"), "count", 1)
    tx.close()

    assert len(tx.writes) == 3


PLANTED_TYPES = """
from forge.store.items import DerivedItem, Item
from forge.store.keys import SharedKey
from forge.store.transactions import Transaction

def plant(tx: Transaction, item: Item, row: DerivedItem, shared: SharedKey) -> None:
    tx.overwrite(row)
    tx.forget(row)
    tx.forget(shared)
    tx.overwrite(item)
    tx.keep_up(item)
    tx.forget(item)
    tx.forget(item.key)
    tx.tally(item.key, "count", 1)
    tx.merge(item.key, add={"count": 1})
"""


def test_mypy_refuses_such_a_write_before_anybody_makes_it(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED_TYPES)
    settings = [f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}"]

    told, _, status = mypy.run([*settings, str(planted)])

    lines = PLANTED_TYPES.splitlines()
    refused = [lines[int(line.split(":")[1]) - 1].split("(")[0].strip() for line in told.splitlines()[:-1]]
    assert status == 1, told
    assert refused == [
        "tx.overwrite",
        "tx.keep_up",
        "tx.forget",
        "tx.forget",
        "tx.tally",
        "tx.merge",
    ]


def test_a_read_above_the_ceiling() -> None:
    table = a_table([{"Items": []}])

    with pytest.raises(Unbounded):
        table.query_all("WS#1#THINGS", most=CEILING + 1)
    assert len(table.query_all("WS#1#THINGS", most=CEILING + 1, because="there are few")) == 0


def test_a_list_that_is_cut_in_silence() -> None:
    cut = a_table([{"Items": rows(3), "LastEvaluatedKey": rows(3)[2]}]).query_all("WS#1#THINGS", most=2)

    with pytest.raises(CutInSilence):
        cut.of(RowItem)
    assert cut.next_position == {"pk": "WS#1#THINGS", "sk": "1"}
    assert len(cut) == 2
    assert len(Rows(rows(2))) == 2


def test_a_page_that_nobody_can_ask_on() -> None:
    with pytest.raises(TypeError, match="cursor"):
        Namespace("planted", "Planted.").tool(effect=Effect.READ_ONLY, scopes=[])(list_all)


def test_a_page_that_is_too_long_or_does_not_say_that_there_is_more() -> None:
    def page(last: str, **more: str) -> str:
        return json.dumps({"data": [{"id": last}], **more})

    assert mistakes_in_pages(page("1", nextCursor="on"), page("2")) == []
    assert mistakes_in_pages(page("1"), page("2")) == [SAYS_NOT]
    assert mistakes_in_pages(page("1", nextCursor="on"), page("1")) != []
    assert mistakes_in_pages(page("x" * MAX_ANSWER, nextCursor="on"), page("2")) != []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("functions/issues/rules.py", "from forge.store.table import Table"),
        ("functions/issues/rules/claiming.py", "from forge.context import Caller, Context"),
        ("functions/issues/rules/claiming.py", "from forge.work.issues.desks import open_issue"),
        ("functions/issues/rules/claiming.py", "from forge.work.issues.desks import read_issues"),
        ("functions/issues/rules.py", "def decide(change):\n    return change.desk.ctx.table.read([])"),
        ("shared/forge/work/plans/rules.py", "from forge.store.transactions import Transaction"),
        ("functions/issues/tools.py", "from forge.work.plans._steps import ready"),
        ("functions/issues/tools.py", "from forge.work.plans import _steps"),
        ("functions/issues/tools.py", "import forge.work.plans._steps"),
        ("functions/issues/tools.py", "from forge.work.plans.rules import _JUDGED"),
        ("shared/forge/work/issues/heads.py", "store.table.update(key, 'SET a = b', names={}, values={})"),
        ("functions/issues/repository.py", "tx.forget(SharedKey(*head))"),
    ],
)
def test_a_source_that_reaches_for_what_is_not_its_own(path: str, text: str) -> None:
    assert len(mistakes_in(Source(PurePosixPath(path), text))) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("functions/issues/tools.py", "from forge.context import Context"),
        ("functions/issues/rules.py", "from forge.context import Caller"),
        ("shared/forge/work/plans/moves.py", "from forge.work.plans._steps import ready"),
        ("shared/forge/store/counters.py", "table.update(key, 'ADD a b', names={}, values={})"),
    ],
)
def test_a_source_that_keeps_to_its_own(path: str, text: str) -> None:
    assert mistakes_in(Source(PurePosixPath(path), text)) == []


@pytest.mark.parametrize("figure", ["reads", "writes", "items"])
def test_costs_that_are_declared_too_high_or_too_low(figure: str) -> None:
    declared, cheap, dear = Cost(reads=3, writes=2, items=9), Cost(reads=1), Cost(reads=3, writes=2, items=9)

    assert mistakes_in_costs(declared, [cheap, dear]) == []
    for wrong in (-1, 1):
        planted = declared._replace(**{figure: getattr(declared, figure) + wrong})
        assert len(mistakes_in_costs(planted, [cheap, dear])) == 1


@pytest.mark.parametrize("bound", [{}, {"reads": 3}, {"reads": 2, "items": 20}])
def test_a_bound_that_bounds_nothing(bound: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Cost(reads=3, writes=1, items=9).up_to(because="of nothing", **bound)
