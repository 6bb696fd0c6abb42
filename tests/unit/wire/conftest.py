"""What Mangum leaves behind is tidied up: in Lambda its event loop lives as long as the process."""

import asyncio
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def an_event_loop_that_is_closed() -> Iterator[None]:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()
