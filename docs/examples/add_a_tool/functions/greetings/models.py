"""What one says to be greeted, and the greeting."""

from typing import Annotated

from pydantic import Field

from forge.contract.models import Model


class SayHello(Model):
    name: Annotated[str, Field(min_length=1, max_length=80, description="Whom to greet.")]
    is_formal: Annotated[bool, Field(description="Good day instead of hello.")] = False


class Greeting(Model):
    text: str
    workspace: str
