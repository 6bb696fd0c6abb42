"""What a function reads from its environment, as `forge dev` writes it down for `make invoke`.

In the format of `sam local invoke --env-vars`, with addresses as a container sees them.
"""

import json
from pathlib import Path

from forge.cli.local.admission import CONTAINERS_HOST
from forge.store.connections import Connections
from forge.store.physical import MACHINES
from forge.store.store import Store

_FILE = "functions.json"
_FOR_ALL = "Parameters"
"""What `sam` calls the variables of all functions together."""
_LOOPBACK = ("//127.0.0.1:", "//localhost:")


def file_in(home: Path) -> Path:
    return home / _FILE


def written(connections: Connections, store: Store, *, token_secret: str, public_url: str) -> str:
    """A function runs its tools itself: on this machine there are no others for the router to invoke."""
    access_key, secret_key = connections.credentials or ("", "")
    variables = {
        "AWS_ENDPOINT_URL": connections.endpoint or "",
        # Whose AWS it is has credentials of their own; those of their shell are handed over.
        **({"AWS_ACCESS_KEY_ID": access_key, "AWS_SECRET_ACCESS_KEY": secret_key} if access_key else {}),
        "AWS_REGION": connections.region,
        "AWS_DEFAULT_REGION": connections.region,
        "FORGE_TABLE": store.table.name,
        "FORGE_BUCKET": store.blobs.bucket,
        "FORGE_TOKEN_SECRET": token_secret,
        "FORGE_PUBLIC_URL": public_url,
        "FORGE_TEAM": "",
        "FORGE_TRACING": "PassThrough",
        "FORGE_ROUTER_MODE": "inline",
        "FORGE_FUNCTIONS": "{}",
        **{f"FORGE_QUEUE_{name.upper()}": url for name, url in store.queues.urls.items()},
        # Nothing waits in Step Functions on one machine: the sweep counts the time.
        **{f"FORGE_MACHINE_{name.upper()}": "" for name in MACHINES},
    }
    seen = {name: _in_a_container(name, value) for name, value in variables.items()}
    return json.dumps({_FOR_ALL: seen}, indent=2) + "\n"


def read(home: Path) -> dict[str, str]:
    """The same as a process on this machine sees them; raises OSError or ValueError where there are none."""
    known = json.loads(file_in(home).read_text(encoding="utf-8"))
    if not isinstance(known, dict) or not isinstance(known.get(_FOR_ALL), dict):
        raise ValueError(f"{file_in(home)} is not what `make dev` writes")  # noqa: TRY004 - of the file
    return {
        name: str(value).replace(f"//{CONTAINERS_HOST}:", _LOOPBACK[0])
        for name, value in known[_FOR_ALL].items()
    }


def _in_a_container(name: str, value: str) -> str:
    """A container has a loopback of its own; where callers reach the product is for callers."""
    if name == "FORGE_PUBLIC_URL":
        return value
    for here in _LOOPBACK:
        value = value.replace(here, f"//{CONTAINERS_HOST}:")
    return value
