"""Threads as people open them and write in them."""

import json
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from forge.contract.fields import SAYS_SOMETHING, AgentRef, Id, PersonRef, up_to
from forge.contract.models import Model, Time

MAX_SNAPSHOT = 20_000


def _short_enough(snapshot: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(snapshot, ensure_ascii=False)) > MAX_SNAPSHOT:
        raise ValueError(f"more than {MAX_SNAPSHOT} characters of JSON")
    return snapshot


class CreateThread(Model):
    agent_id: Annotated[AgentRef, Field(description="Whom to talk with: its id or profileKey.")]
    user_id: Annotated[
        PersonRef | None, Field(description="Who talks: a user id, a handle or me; default you.")
    ] = None
    title: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] | None,
        Field(description="One line."),
    ] = None


class PostMessage(Model):
    thread_id: Annotated[Id, Field(description="The thread's id.")]
    body: Annotated[str, SAYS_SOMETHING, Field(min_length=1, max_length=16_000, description="Markdown.")]
    context_snapshot: Annotated[
        Annotated[dict[str, Any], AfterValidator(_short_enough)] | None,
        Field(
            description="What you have before you; issues in it, by id or as DEMO-12, are shown to the agent."
        ),
    ] = None


class ReadThread(Model):
    thread_id: Annotated[Id, Field(description="The thread's id.")]
    before: Annotated[Time | None, Field(description="Only older messages: nextCursor of the last page.")] = (
        None
    )
    limit: Annotated[int, up_to(200, "messages")] = 50


class CreatedThread(Model):
    id: str


class PostedMessage(Model):
    message_id: str
