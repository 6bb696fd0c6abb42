"""What the backlog answers with can be opened by whoever is not at the server."""

from forge.store.store import Store
from forge.testing.world import World
from tests.workshop.backlog import Session, a_repository, filed, identifier
from tests.workshop.office import Office

URL = "https://forge.example.com"


def test_issues_and_pull_requests_have_whole_addresses(store: Store) -> None:
    office = Office(World(store=store, public_url=URL))
    repository = a_repository(office)
    order = {"title": "Second", "priority": "low", "type": "docs"}
    number, session = filed(office), Session(office, "a")

    made = office.call("create_issue", order)["issue"]
    selected = session.select()["issue"]
    opened = session.advance(number, "pr", skipJustification="Small.")["workflow"]

    assert made["html_url"] == f"{URL}/console/issues/{made['identifier']}"
    assert selected["html_url"] == f"{URL}/console/issues/{identifier(office, number)}"
    assert (
        opened["prUrl"]
        == f"{URL}/console/repositories/{repository['fullName']}/pulls/1?issue={identifier(office, number)}"
    )
