"""`Item`: what stored records have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from forge.store.codec import Attribute, decode_item, encode_item
from forge.store.keys import IndexKey, Key
from forge.store.physical import INDEX_BY_NAME, PARTITION, SORT, TTL


class Item(BaseModel, ABC):
    """A typed record with its own key, its places in the indexes, and an optimistic version."""

    # Built at once, unlike contract models: items are few, and are first read by several threads together.
    model_config = ConfigDict(frozen=True, extra="ignore")

    version: int = 1

    @property
    @abstractmethod
    def key(self) -> Key:
        """Where the item is stored; built by `forge.store.keys`."""

    @property
    def index_keys(self) -> tuple[IndexKey, ...]:
        """Its places in the indexes; none unless a subclass says so."""
        return ()

    @property
    def purge_after(self) -> datetime | None:
        """When DynamoDB may remove it. Never decides anything: time-outs are compared by us."""
        return None

    def changed(self, **fields: object) -> Self:
        """The same item with other values; the version is the transaction's to raise."""
        if unknown := fields.keys() - type(self).model_fields.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        return self.model_copy(update=fields)

    def attributes(self) -> dict[str, Attribute]:
        values: dict[str, Any] = {PARTITION: self.key.partition, SORT: self.key.sort}
        for place in self.index_keys:
            index = INDEX_BY_NAME[place.index_name]
            values |= {index.partition: place.partition, index.sort: place.sort}
        if self.purge_after is not None:
            values[TTL] = int(self.purge_after.timestamp())
        return encode_item(values | self.model_dump())

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, Attribute]) -> Self:
        return cls.model_validate(decode_item(attributes))
