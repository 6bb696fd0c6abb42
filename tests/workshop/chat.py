"""A person and an agent who talk."""

from dataclasses import dataclass

from forge.store.table import Table
from forge.work.content.chat import messages
from forge.work.content.chat.drafts import STREAM, PartItem
from forge.work.content.chat.messages import MessageItem
from forge.work.content.chat.threads import ThreadItem
from tests.workshop.office import Body, Office


@dataclass(frozen=True, slots=True)
class Talk:
    office: Office
    thread_id: str
    agent_id: str
    agent_key: str

    @property
    def table(self) -> Table:
        return self.office.world.services.store.table

    @property
    def thread(self) -> ThreadItem:
        key = ThreadItem.at(self.office.workspace.id, self.thread_id)
        found = self.table.find(ThreadItem, key)
        assert found
        return found

    def ask(self, body: str = "How far are you?", **more: object) -> str:
        """A second after whatever was said before."""
        self.office.world.clock.advance(seconds=1)
        order = {"threadId": self.thread_id, "body": body, **more}
        return str(self.office.call("threads.post", order)["messageId"])

    def reply(self, body: str = "Nearly done.", **more: object) -> str:
        self.office.world.clock.advance(seconds=1)
        return str(self.as_agent("chat.appendMessage", body=body, **more)["messageId"])

    def as_agent(self, tool: str, **arguments: object) -> Body:
        return self.office.call(tool, {"threadId": self.thread_id, **arguments}, key=self.agent_key)

    def refused(self, tool: str, **arguments: object) -> tuple[int, str, set[str]]:
        return self.office.refused(tool, {"threadId": self.thread_id, **arguments}, key=self.agent_key)

    def read(self, **how: object) -> Body:
        return self.as_agent("chat.getThread", **how)

    def message(self, message_id: str) -> MessageItem:
        found = messages.find(self.table, self.office.workspace.id, message_id)
        assert found
        return found[1]

    def parts(self) -> list[PartItem]:
        """What was shown of drafts, in the order in which it was."""
        stream = STREAM(self.office.workspace.id, self.thread_id)
        return self.table.query_all(stream, most=500).of(PartItem)


def a_talk(office: Office, profile_key: str = "worker", **more: object) -> Talk:
    agent_id = str(office.an_agent(profile_key)["id"])
    key = office.an_agents_key(agent_id)
    thread = office.call("threads.create", {"agentId": agent_id, **more})
    return Talk(office, str(thread["id"]), agent_id, key)


def a_run(talk: Talk, agent_id: str | None = None) -> str:
    """Of the agent's, on some issue."""
    issue_id = talk.office.call("issues.create", {"title": "Ship"})["id"]
    order = {"issueId": issue_id, "agentId": agent_id or talk.agent_id}
    talk.office.call("issues.assign", order)
    return str(talk.office.rows("runs.list", {"issueId": issue_id})[0]["id"])
