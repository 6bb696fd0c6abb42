"""A backend that settings can name, as a deployment's FORGE_BACKEND does."""

from forge.testing.world import World
from forge.wire.edge import Backend

BACKEND = f"{__name__}:open_backend"

_world = World()


def open_backend() -> Backend:
    return Backend(_world.keys, _world.services)


def a_deployed_key() -> str:
    """A key that the backend knows, whoever opens it."""
    return _world.a_key()
