"""Tokens as they are asked for and handed out."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model


class CreateToken(Model):
    key_id: Annotated[str, Field(min_length=1, max_length=40, description="The key it stands for.")]


class NewToken(Model):
    token: str
    expires_at: datetime
