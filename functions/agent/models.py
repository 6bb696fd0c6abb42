"""What is asked about; `forge.work.bundles` has the answer."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.fields import Id, IssueId, Limit, Paged
from forge.contract.models import Model
from forge.work.plans.requests.requests import RequestStatus


class ReadInbox(Paged, rare=["limit", "cursor"]):
    limit: Limit = 20


class Acknowledge(Model):
    request_id: Annotated[Id, Field(description="The action request that you had asked.")]


class Answer(Model):
    id: str
    title: str
    status: RequestStatus
    resolution: str | None
    resolved_at: datetime | None


class BundleContext(Model, rare=["thread_id", "run_id"]):
    issue_id: Annotated[IssueId | None, Field(description="The issue: its id, or e.g. DEMO-12.")] = None
    run_id: Annotated[Id | None, Field(description="Which of your runs on the issue, if several.")] = None
    thread_id: Annotated[Id | None, Field(description="Or the chat thread.")] = None
