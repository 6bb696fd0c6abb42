"""Requests as values."""

from typing import Any

from forge.testing.builders import WORKSPACE_ID
from forge.testing.clock import NOON
from forge.work.plans.requests.requests import RequestItem, RequestTextItem


def a_request(**fields: Any) -> RequestItem:
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": "ar_1",
        "title": "May I?",
        "shown_hash": "",
        "created_at": NOON,
    }
    return RequestItem.model_validate({**usual, **fields})


def texts_of(**fields: Any) -> RequestTextItem:
    return RequestTextItem.model_validate({"workspace_id": WORKSPACE_ID, "request_id": "ar_1", **fields})
