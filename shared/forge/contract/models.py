"""The model every input and output is built on: camelCase outside, snake_case inside."""

from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Self, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        # Python code builds and dumps models by field name; the wire is held to aliases by `arguments.parse`
        # and `Tool.render`.
        validate_by_name=True,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        # Building thirty validators eagerly costs more than the first call of one.
        defer_build=True,
    )

    def given(self) -> dict[str, Any]:
        """What the caller really sent, by field name: for tools where leaving out and null differ."""
        return self.model_dump(include=self.model_fields_set)

    @classmethod
    def of(cls, source: object, **more: object) -> Self:
        """The view of an item: its attributes of the same names, and whatever is given besides."""
        names = {name: getattr(source, name) for name in cls.model_fields if name not in more}
        return cls.model_validate(names | more)


def _as_utc(moment: datetime) -> datetime:
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("too far from today") from None


Time = Annotated[datetime, AfterValidator(_as_utc)]
"""A moment as callers write it; without a zone it is taken for UTC, as everything here is."""


class NoArguments(Model):
    """The input of a tool that takes none."""


ValueT = TypeVar("ValueT")


def _is_none(value: object) -> bool:
    return value is None


Omittable = Annotated[ValueT | None, Field(exclude_if=_is_none)]
"""An output field that is left out, rather than null, when there is nothing to say."""


class Clearable:
    """Marks an input field for which null is a value: `Annotated[str | None, Clearable()]`.

    For every other optional field null means "not given".
    """


RowT = TypeVar("RowT", bound=Model)


class Page(Model, Generic[RowT]):
    """One page of a list. `truncated` says that the scan stopped early, so ask on."""

    data: list[RowT]
    next_cursor: Omittable[str] = None
    truncated: Omittable[bool] = None
    total: Omittable[int] = None


class Rendered:
    """An output that already is JSON text: another tool's answer, passed on unread."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def models_within(annotation: Any) -> frozenset[type[Model]]:
    """The models of an annotation, and those of their fields. Contract models never hold themselves."""
    if not (isinstance(annotation, type) and issubclass(annotation, Model)):
        return frozenset().union(*map(models_within, get_args(annotation)))
    fields = (field.annotation for field in annotation.model_fields.values())
    return frozenset({annotation}).union(*map(models_within, fields))
