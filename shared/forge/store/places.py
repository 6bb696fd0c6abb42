"""Places in an index as attributes of an item, for whoever changes it without having read it."""

from datetime import datetime

from forge.store.keys import Key, due
from forge.store.physical import INDEX_BY_NAME


def out_of(index_name: str) -> dict[str, object]:
    """Takes an item out of an index."""
    index = INDEX_BY_NAME[index_name]
    return {index.partition: None, index.sort: None}


def due_attributes(owner: Key, moment: datetime | None) -> dict[str, object]:
    """When the sweep must look at an item again; None takes it out of what is ever due."""
    if moment is None:
        return out_of("due")
    index, place = INDEX_BY_NAME["due"], due(owner, moment)
    return {index.partition: place.partition, index.sort: place.sort}
