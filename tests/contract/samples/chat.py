"""Calls of the chat's tools."""

from tests.contract.samples.runs import a_run, an_issue
from tests.contract.stage import Arguments, Stage, sample


def a_thread(stage: Stage, **message: object) -> str:
    """With a message in it that waits for the agent."""
    thread_id = stage.call("threads.create", {"agentId": stage.acting_agent, "title": "Release"})["id"]
    stage.call("threads.post", {"threadId": thread_id, "body": "How far are you?", **message})
    return str(thread_id)


def _a_draft(stage: Stage, **more: object) -> Arguments:
    thread_id, key = a_thread(stage), stage.agent_key(stage.acting_agent)
    draft = stage.call("chat.startDraft", {"threadId": thread_id}, key=key)
    # A second question came while the first is being answered.
    stage.call("threads.post", {"threadId": thread_id, "body": "And when?"})
    return {**draft, **more}


def _two_messages(stage: Stage) -> Arguments:
    thread_id = a_thread(stage, contextSnapshot={"page": "board"})
    stage.call("threads.post", {"threadId": thread_id, "body": "Still there?"})
    return {"threadId": thread_id, "limit": 1}


SAMPLES = (
    sample(
        "chat.appendMessage",
        lambda stage: {
            "threadId": a_thread(stage),
            "body": "Nearly done.",
            "sourceRunId": a_run(stage, an_issue(stage)),
        },
    ),
    sample("chat.startDraft", lambda stage: {"threadId": a_thread(stage)}),
    sample("chat.appendDraftChunk", lambda stage: _a_draft(stage, delta="Here's ", seq=0)),
    sample("chat.appendDraftChunk", lambda stage: _a_draft(stage, delta="Here's "), variant="uncounted"),
    sample(
        "chat.finalizeDraft",
        lambda stage: _a_draft(
            stage, body="Here's the full reply.", sourceRunId=a_run(stage, an_issue(stage))
        ),
    ),
    sample("chat.getThread", _two_messages),
    sample("chat.kickThread", lambda stage: {"threadId": a_thread(stage)}),
)
