"""Who sleeps until there is an issue is called in waves."""

from forge.work.background.deliveries import waking
from forge.work.background.deliveries.waking import NEXT_WAVE, WAVE
from forge.work.content.destinations.messages import FreedMessage
from forge.work.issues.claims.sleepers import SLEEPING, SleepingItem
from forge.work.workspace.workers import worker_of
from tests.unit.work.messages import waiting_messages
from tests.workshop.issues import a_queued_issue, an_issue
from tests.workshop.office import Office
from tests.workshop.tasks import Client

MORE = 3


def sleepers(office: Office, number: int) -> None:
    client = Client(office, office.an_agents_key())
    for _ in range(number):
        office.world.clock.advance(seconds=1)
        client.call("issues.claim", {"waitSeconds": 3600})


def wake(office: Office, issue_id: str, before: str | None = None) -> int:
    message = FreedMessage(workspace_id=office.workspace.id, freed=[issue_id], before=before)
    return waking.wake(worker_of(office.world.services, "dispatch"), message)


def test_one_wave_follows_another_for_as_long_as_the_issue_is_free(office: Office) -> None:
    sleepers(office, WAVE + MORE)
    issue = a_queued_issue(office)
    waiting_messages(office.world.services.store)
    assert NEXT_WAVE.total_seconds() >= 30

    assert wake(office, issue) == WAVE

    # Where the next one begins, the last one of the first is called once more.
    assert wake(office, issue, before=last_of_the_first_wave(office)) == MORE + 1


def test_what_is_taken_meanwhile_wakes_nobody(office: Office) -> None:
    sleepers(office, 1)
    issue = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue})

    assert wake(office, issue) == 0
    assert wake(office, an_issue(office)) == 0
    assert wake(office, "iss_unknown") == 0


def test_whose_time_is_over_is_not_called(office: Office) -> None:
    sleepers(office, 1)
    office.world.clock.advance(hours=2)

    assert wake(office, a_queued_issue(office)) == 0


def last_of_the_first_wave(office: Office) -> str:
    table = office.world.services.store.table
    rows = table.query(SLEEPING(office.workspace.id), limit=WAVE, is_descending=True).first_ones()
    return rows.of(SleepingItem)[-1].key.sort
