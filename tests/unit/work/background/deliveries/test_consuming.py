"""Messages that come together: what has to be ready, what is done at once, and what each is left to do."""

import subprocess
import sys

from forge.jsontext import encode
from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.work.background.deliveries.consuming import under_way
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus
from forge.work.workspace.jobs import Unreadable
from tests.unit.outbound.sites import running_site
from tests.unit.work.background.deliveries.mailrooms import HOOK, TAKEN, Mailroom
from tests.unit.work.messages import waiting_messages

_PROGRAM = """
from forge.work.background.deliveries.consuming import under_way
from forge.work.content.destinations.messages import Posted
from forge.work.workspace.people.announcements import AgentStatusChanged

models = (Posted, AgentStatusChanged)
before = [model.__pydantic_complete__ for model in models]
with under_way(None, []):
    print(before, [model.__pydantic_complete__ for model in models])
"""


def test_models_are_built_before_several_threads_use_them() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)

    assert done.stdout == "[False, False] [True, True]\n"


def acted_on(mailroom: Mailroom, texts: list[str]) -> list[DeliveryItem | None]:
    with under_way(mailroom.dispatch, texts) as acted:
        return [one.result() for one in acted]


def test_events_that_come_together_are_each_told_once_in_few_requests(store: Store) -> None:
    requests = Counter()
    mailroom = Mailroom(watched(store, requests))
    with running_site() as site:
        site.pages[HOOK] = TAKEN
        mailroom.a_webhook(site)
        mailroom.forget()
        for number in range(5):
            mailroom.office.call("issues.create", {"title": f"Issue {number}"})
        mailroom.relay()
        events = [encode(message) for message in waiting_messages(store)]

        requests.reset()
        acted_on(mailroom, events)
        fanned_out = len(requests.sent)
        tries = [encode(message) for message in waiting_messages(store)]
        requests.reset()
        tried = acted_on(mailroom, tries)

    assert [one.status for one in tried if one] == [DeliveryStatus.SUCCESS] * 5
    assert len(site.asked) == 5
    # A try is written down when it is over, by itself.
    assert (fanned_out, len(requests.sent)) == (3, 3 + 5)


def test_what_comes_again_with_others_makes_nothing_twice(store: Store) -> None:
    mailroom = Mailroom(store)
    with running_site() as site:
        site.pages[HOOK] = TAKEN
        mailroom.a_webhook(site)
        mailroom.forget()
        for number in range(2):
            mailroom.office.call("issues.create", {"title": f"Issue {number}"})
        mailroom.relay()
        events = [encode(message) for message in waiting_messages(store)]
        acted_on(mailroom, events[:1])
        acted_on(mailroom, [events[0], *events])
        tries = [encode(message) for message in waiting_messages(store)]

        acted_on(mailroom, tries)
        acted_on(mailroom, tries)

    assert len(mailroom.rows()) == len(site.asked) == 2


def test_what_nobody_can_read_keeps_nobody_waiting(store: Store) -> None:
    mailroom = Mailroom(store)
    with running_site() as site:
        mailroom.a_webhook(site)
        mailroom.forget()
        for number in range(2):
            mailroom.office.call("issues.create", {"title": f"Issue {number}"})
        mailroom.relay()
        events = [encode(message) for message in waiting_messages(store)]

        with under_way(mailroom.dispatch, ["no message", *events]) as acted:
            (unreadable, *others) = acted
            assert isinstance(unreadable.exception(), Unreadable)
            assert [one.result() for one in others] == [None, None]

    assert len(mailroom.rows()) == 2
