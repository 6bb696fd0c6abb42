"""What is asked about; `forge.work.bundles` has the answer."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import Id, IssueId
from forge.contract.models import Model


class BundleContext(Model, rare=["thread_id", "run_id"]):
    issue_id: Annotated[IssueId | None, Field(description="The issue: its id, or e.g. DEMO-12.")] = None
    run_id: Annotated[Id | None, Field(description="Which of your runs on the issue, if several.")] = None
    thread_id: Annotated[Id | None, Field(description="Or the chat thread.")] = None
