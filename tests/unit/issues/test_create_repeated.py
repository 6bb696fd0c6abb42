"""issues.create, repeated under one idempotency key: one issue, and one number."""

from typing import Any

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from tests.unit.wire.answers import body_of
from tests.workshop.interference import COMMIT, Interference, let_pass, once_before

ONCE = {"idempotency-key": "the same"}
WISH = {"title": "Once"}


def create(world: World, wish: dict[str, str] = WISH, **how: dict[str, str]) -> dict[str, object]:
    answer: dict[str, object] = body_of(world.rest("issues.create", wish, key=world.owner_key(), **how))
    return answer


def test_two_who_make_the_call_at_once_use_up_one_number(store: Store) -> None:
    others: list[object] = []
    switch = Interference()
    world = World(store=watched(store, switch))
    switch.handle = once_before(COMMIT, lambda: others.append(create(world, headers=ONCE)))

    first = create(world, headers=ONCE)

    assert others == [first]
    assert (first["number"], create(world)["number"]) == (1, 2)


def test_a_call_that_died_with_its_number_gets_it_again(store: Store) -> None:
    switch = Interference()
    world = World(store=watched(store, switch))
    world.owner_key()
    die = FaultAt(Fault.CRASHED, position=0, times=1000)

    def dead_from_commit(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        is_over = operation == COMMIT or die.was_hit
        return die(operation, parameters, send) if is_over else send(**parameters)

    switch.handle = dead_from_commit
    with pytest.raises(ProcessDied):
        create(world, headers=ONCE)
    switch.handle = let_pass

    assert (create(world, headers=ONCE)["number"], create(world)["number"]) == (1, 2)
