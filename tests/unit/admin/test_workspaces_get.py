"""Operators see every setting of their own workspace."""

from tests.workshop.office import Office


def test_agents_see_the_same_values_of_what_they_are_shown(office: Office) -> None:
    office.call("workspaces.update", {"autoDispatch": True, "cycleLengthDays": 14})

    shown = office.call("workspace.get")
    del shown["viewer"]

    settings = office.call("workspaces.get")
    assert shown == {name: settings[name] for name in shown}
    assert (shown["autoDispatch"], shown["cycleLengthDays"]) == (True, 14)
