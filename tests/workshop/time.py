"""A timesheet: entries of people and agents, on issues or on none."""

from datetime import datetime, timedelta

from tests.workshop.office import Body, Office


def tracking(office: Office) -> Office:
    """The same office, once it tracks time."""
    office.call("workspaces.update", {"timeTrackingEnabled": True})
    return office


def logged(office: Office, minutes: int = 60, *, key: str | None = None, **more: object) -> Body:
    """An entry that ended just now, or began when `startedAt` says."""
    return office.call("time.log", {"durationMin": minutes, **more}, key=key or office.owner_key)


def shown(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def ago(office: Office, **how_long: int) -> str:
    return shown(office.world.clock() - timedelta(**how_long))
