"""An office that tracks time."""

import pytest

from tests.workshop.office import Office
from tests.workshop.time import tracking


@pytest.fixture
def office(office: Office) -> Office:
    return tracking(office)
