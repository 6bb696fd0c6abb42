"""Places in an index as attributes of an item, for whoever changes it without having read it."""

from datetime import datetime

from forge.store.keys import Key, due
from forge.store.physical import INDEX_BY_NAME


def due_attributes(owner: Key, moment: datetime | None) -> dict[str, object]:
    """When the sweep must look at an item again; None takes it out of what is ever due."""
    index = INDEX_BY_NAME["due"]
    if moment is None:
        return {index.partition: None, index.sort: None}
    place = due(owner, moment)
    return {index.partition: place.partition, index.sort: place.sort}
