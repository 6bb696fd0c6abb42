"""An office that tracks time."""

import pytest

from tests.unit.office import Office
from tests.unit.time.timesheet import tracking


@pytest.fixture
def office(office: Office) -> Office:
    return tracking(office)
