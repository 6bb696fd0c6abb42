"""How often strangers may have something done in an hour: each from one address, and all together."""

from datetime import datetime
from hashlib import sha256

from forge.errors import RateLimited
from forge.store.failures import ConditionFailed
from forge.store.keys import Partition, Shared
from forge.store.physical import PARTITION, TTL
from forge.store.table import Table

_SECONDS = 3600
OF_ONE, OF_ALL = 60, 600

COUNTED = Shared(Partition("OAUTH#WINDOW#{whose}", outside="nobody is known yet"), "HOUR#{hour}")


def take(table: Table, what: str, address: str, now: datetime) -> None:
    """Count one more, or RateLimited until the hour is over."""
    hour = int(now.timestamp()) // _SECONDS
    wait = (hour + 1) * _SECONDS - int(now.timestamp())
    own = sha256(address.encode()).hexdigest()[:24]
    for whose, most in ((f"{what}:{own}", OF_ONE), (f"{what}:all", OF_ALL)):
        values = {":one": 1, ":most": most, ":end": (hour + 2) * _SECONDS}
        try:
            table.update(
                COUNTED(whose, hour),
                "ADD #taken :one SET #ends = :end",
                names={"#taken": "taken", "#ends": TTL},
                values=values,
                condition=f"attribute_not_exists({PARTITION}) OR #taken < :most",
            )
        except ConditionFailed:
            raise RateLimited(
                "There were too many strangers in this hour.",
                hint=f"Wait {wait} s. Who has a key needs none of this.",
                retry_after_seconds=wait,
            ) from None
