"""Workspaces to found: names are unique in the whole deployment, so every test needs its own."""

from tests.workshop.office import Body, Office


def an_order(office: Office, **changes: object) -> Body:
    """For a workspace that nobody has founded yet."""
    number = office.world.ids("n").rpartition("_")[2]
    return {"slug": f"acme-{number}", "key": f"A{number}", "name": "Acme", **changes}


def found(office: Office, **changes: object) -> tuple[Body, str]:
    """A new workspace, and its owner's key."""
    founded = office.call("workspaces.create", an_order(office, **changes))
    return founded["workspace"], founded["rawKey"]
