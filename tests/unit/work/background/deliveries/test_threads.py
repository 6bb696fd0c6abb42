"""An agent sees what it is asked in a thread from the first try to tell it, or at once if there is none."""

from typing import Any

from forge.work.content.chat import messages
from forge.work.content.chat.messages import MessageItem
from tests.unit.outbound.sites import Site
from tests.unit.work.background.deliveries.mailrooms import DOWN, HOOK, SECRET, Mailroom


class Talk:
    """A thread with an agent that has a URL, in which somebody has asked something."""

    def __init__(self, mailroom: Mailroom, site: Site) -> None:
        self.office = mailroom.office
        self.store = mailroom.store
        agent = self.office.an_agent("woken", webhookUrl=mailroom.url_of(site), webhookSecret=SECRET)
        self.agent_id = agent["id"]
        self.key = self.office.an_agents_key(self.agent_id)
        self.thread_id = self.office.call("threads.create", {"agentId": self.agent_id})["id"]
        mailroom.forget()
        posted = self.office.call("threads.post", {"threadId": self.thread_id, "body": "How far are you?"})
        self.message_id = posted["messageId"]

    def seen(self) -> list[Any]:
        thread = self.office.call("chat.getThread", {"threadId": self.thread_id}, key=self.key)
        return [message["body"] for message in thread["messages"]]

    @property
    def message(self) -> MessageItem:
        found = messages.find(self.store.table, self.office.workspace.id, self.message_id)
        assert found is not None
        return found[1]


def test_it_is_seen_from_the_first_try_on_even_if_that_failed(mailroom: Mailroom, site: Site) -> None:
    talk = Talk(mailroom, site)
    site.pages[HOOK] = DOWN
    before = talk.seen()

    (delivery,) = mailroom.pump()

    assert (before, talk.seen()) == ([], ["How far are you?"])
    first = talk.message
    assert (first.wake_attempts, first.last_wake_delivery_id) == (1, delivery.id)
    mailroom.later(seconds=30)
    assert (talk.message.wake_attempts, talk.message.dispatched_at) == (2, first.dispatched_at)


def test_it_is_seen_although_the_agent_lost_its_url_meanwhile(mailroom: Mailroom, site: Site) -> None:
    talk = Talk(mailroom, site)
    mailroom.office.call("agents.update", {"id": talk.agent_id, "clear": ["webhookUrl"]})

    mailroom.pump()

    assert talk.seen() == ["How far are you?"]
    assert (talk.message.wake_attempts, talk.message.last_wake_at) == (0, None)


def test_an_answer_to_it_tells_nobody_again(mailroom: Mailroom, site: Site) -> None:
    talk = Talk(mailroom, site)
    mailroom.pump()

    talk.office.call("chat.appendMessage", {"threadId": talk.thread_id, "body": "Nearly."}, key=talk.key)

    assert mailroom.pump() == []
    assert talk.message.acknowledged_at is not None
