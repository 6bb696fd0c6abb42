"""`GET /healthz?deep=1`: whether what the tools need answers, too.

It needs no key, because monitors should hold none; so it tells no names, and whoever asks again within some
seconds gets the same answer without anything being asked. The plain `/healthz` asks nobody.
"""

from collections.abc import Mapping
from threading import Lock
from time import monotonic

from forge.jsontext import encode
from forge.store import probes
from forge.store.store import Store
from forge.wire.http import Response, json_response

KEPT_SECONDS = 10.0
"""However many ask a process, AWS is asked three questions in so long."""


class DeepHealth:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._known: dict[str, bool] = {}
        self._until = 0.0

    def answer(self, server: Mapping[str, str]) -> Response:
        with self._lock:
            if monotonic() >= self._until:
                self._known = probes.answering(self._store)
                self._until = monotonic() + KEPT_SECONDS
            known = self._known
        is_well = all(known.values())
        body = {
            "status": "ok" if is_well else "unavailable",
            "checks": {name: "ok" if is_there else "unavailable" for name, is_there in known.items()},
            **server,
        }
        headers = {"cache-control": "no-store"} | ({} if is_well else {"retry-after": f"{KEPT_SECONDS:.0f}"})
        return json_response(200 if is_well else 503, encode(body), headers)
