"""What authenticating writes to a key's item is what every role may write there, and nothing else."""

import re

from forge.auth.entrance import MOST_FOLLOWERS
from forge.context import Door
from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.workspace.people.authentication import TOUCHED, TableKeys
from tests.unit.work.workspace.people.test_authentication import a_ceiling, a_key_hash, touch


def test_the_attributes_that_roles_may_name_are_those_that_it_names(
    store: Store, stored_world: World
) -> None:
    counter = Counter()
    observed = watched(store, counter)
    key_hash = a_key_hash(stored_world)
    for door in Door:
        touch(observed, stored_world, key_hash, door)
        stored_world.clock.advance(minutes=2)
        touch(observed, stored_world, key_hash, door)
    a_ceiling(store, key_hash, 10)
    for door in Door:
        for _ in range(3):
            touch(observed, stored_world, key_hash, door)
        stored_world.clock.advance(minutes=2)
        for _ in range(3):
            touch(observed, stored_world, key_hash, door)
    now = stored_world.clock()
    for number in range(MOST_FOLLOWERS):
        TableKeys(observed.table).take_place(key_hash, number, now=now, until=now)
        TableKeys(observed.table).leave_place(key_hash, number, until=now)

    named: set[str] = set()
    for request in (sent.parameters for sent in counter.sent):
        names = request["ExpressionAttributeNames"]
        text = f"{request['UpdateExpression']} {request['ConditionExpression']}"
        named |= {names.get(word, word) for word in re.findall(r"(?<![:\w#])#?[a-z_]+\b(?!\()", text)}
        named |= request["Key"].keys()

    assert named == TOUCHED
