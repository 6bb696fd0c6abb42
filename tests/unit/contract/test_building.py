"""Several threads may be the first to use a model, and all of them can."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from forge.contract.models import Model

THREADS = 6


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """They take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty_threads")
def test_all_who_use_a_model_first_can_use_it() -> None:
    def use(model: type[Model], together: Barrier) -> str:
        together.wait()
        return model.model_validate({"size": 1}).model_dump_json()

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(60):

            class Fresh(Model):
                size: int
                name: str = "fresh"

            together = Barrier(THREADS)
            used = [pool.submit(use, Fresh, together) for _ in range(THREADS)]

            assert {one.result() for one in used} == {'{"size":1,"name":"fresh"}'}
