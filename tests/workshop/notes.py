"""A notebook: notes of one owner, in the order in which they were written."""

from tests.workshop.office import Body, Office


def a_note(office: Office, body: str = "A thought.", **more: object) -> Body:
    """Each a minute after the one before."""
    office.world.clock.advance(minutes=1)
    return office.call("notes.create", {"body": body, **more})
