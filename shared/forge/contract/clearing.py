"""Inputs that change something: what is left out stays, and what shall be empty is named in `clear`.

Null could not say it. Adapters of real clients fill whatever a model leaves out with null, so that a new
priority would erase every other field.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from forge.contract.models import Model


class Clearable:
    """Marks a field that `clear` may name: `Annotated[str | None, Clearable()] = None`."""


class Changes(Model):
    """The input of an update. Its `clear` takes the names of its clearable fields, as callers spell them."""

    clear: Annotated[list[str], Field(description="Fields to empty.")] = []

    @classmethod
    def __pydantic_init_subclass__(cls, **words: Any) -> None:
        names = tuple(cls.clearable())
        if not names:
            raise TypeError(f"{cls.__name__} has no field that could be cleared: make it a Model")
        fields = cls.__pydantic_fields__
        # Moved to the end, so that it is read last and checked against what was given.
        fields["clear"] = field = fields.pop("clear")
        field.annotation = list[Literal[names]]  # type: ignore[valid-type]  # of what the model itself says
        super().__pydantic_init_subclass__(**words)

    @classmethod
    def clearable(cls) -> dict[str, str]:
        """The fields that may be cleared, by what callers call them."""
        return {
            field.alias or name: name
            for name, field in cls.__pydantic_fields__.items()
            if any(isinstance(mark, Clearable) for mark in field.metadata)
        }

    @field_validator("clear")
    @classmethod
    def _not_given_too(cls, names: list[str], info: ValidationInfo) -> list[str]:
        fields = cls.clearable()
        if both := [name for name in names if info.data.get(fields[name]) is not None]:
            raise ValueError(f"{', '.join(both)}: either give a value or clear it, not both")
        return names

    def given(self) -> dict[str, Any]:
        """What shall change, by field name: what was sent, and None for what was cleared."""
        fields = self.clearable()
        sent = self.model_dump(include=self.model_fields_set - {"clear"}, exclude_none=True)
        return sent | dict.fromkeys(fields[name] for name in self.clear)
