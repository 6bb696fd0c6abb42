"""Who erases, in the template: what it takes, and that it can make nothing and change next to nothing."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from infra.stack.data import queue_id
from infra.stack.functions import ERASURES, SWEEP
from tests.contract.permissions import Request, allows, object_request
from tests.contract.stacks import RESOURCES
from tests.contract.test_permissions import refused, rights_of
from tests.contract.test_template import actions_of, statements_of
from tests.unit.work.background.erasures.leavers import Leaver, work
from tests.workshop.office import Office


def a_person(office: Office) -> str:
    leaver = Leaver(office)
    leaver.live()
    leaver.erase()
    return leaver.id


def the_workspace(office: Office) -> str:
    Leaver(office).live()
    office.call("workspaces.delete", {"confirm": office.workspace.slug})
    return office.workspace.id


@pytest.mark.parametrize("order", [a_person, the_workspace])
def test_who_erases_may_do_what_it_takes(store: Store, order: Callable[[Office], str]) -> None:
    office, used = Office(World(store=store)), Counter()
    erasure_id = order(office)
    office.world.clock.advance(seconds=timedelta(days=31).total_seconds())

    assert work(office.world, watched(store, used), office.workspace.id, erasure_id)

    assert {"Scan", "DeleteItem"} <= {one.operation for one in used.sent}
    assert refused(rights_of(ERASURES), used.sent) == []
    assert allows(rights_of(ERASURES), object_request("DeleteObject", "ws_1/attachments/issue/iss_1/a.png"))


def test_who_erases_puts_nothing_but_orders_and_names_that_it_took_away() -> None:
    statements = [*statements_of(RESOURCES["ErasuresRole"]["Properties"]["Policies"])]
    (items,) = (one for one in statements if "dynamodb:PutItem" in one["Action"])

    leading = items["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert leading == ["WS#*#ERASURE#*", "WS#*#LOG", "WS#*#LOG#*", "WS#*#KEYS"]
    forbidden = {"s3:PutObject", "s3:GetObject", "dynamodb:BatchWriteItem"}
    assert not forbidden & set(actions_of("ErasuresRole"))


def test_the_sweep_and_whoever_erases_may_have_it_go_on() -> None:
    for folder in (ERASURES, SWEEP):
        assert allows(rights_of(folder), Request("sqs:SendMessage", f"arn:{queue_id(ERASURES)}.Arn"))
