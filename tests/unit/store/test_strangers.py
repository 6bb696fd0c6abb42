"""Values that only another build knows: carried as they are, and never taken for one that we have."""

import json
from enum import StrEnum

import pytest
from pydantic import BaseModel, ValidationError

from forge.store.codec import encode_value
from forge.store.strangers import is_known, understood


class Colour(StrEnum):
    RED = "RED"
    BLUE = "BLUE"


class Painted(BaseModel):
    colour: Colour


def test_a_value_that_we_have_is_our_own_member() -> None:
    assert understood(Colour, "RED") is Colour.RED
    assert is_known(understood(Colour, "RED"))


def test_a_stranger_is_none_of_our_members() -> None:
    stranger = understood(Colour, "OCHRE")

    assert not is_known(stranger)
    assert stranger not in frozenset(Colour)
    assert stranger == understood(Colour, "OCHRE") != understood(Colour, "MAUVE")


def test_a_stranger_is_stored_and_shown_as_it_was_read() -> None:
    painted = Painted(colour=understood(Colour, "OCHRE"))

    assert encode_value(painted.colour) == {"S": "OCHRE"}
    assert json.loads(painted.model_dump_json()) == {"colour": "OCHRE"}
    assert f"{painted.colour} {painted.colour.name}" == "OCHRE OCHRE"


def test_callers_can_not_bring_a_stranger_in() -> None:
    understood(Colour, "OCHRE")

    with pytest.raises(ValidationError):
        Painted.model_validate({"colour": "OCHRE"})
