"""The model every input and output is built on: camelCase outside, snake_case inside."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar, Unpack, get_args

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PrivateAttr,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    model_serializer,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic.main import IncEx
from pydantic_core import CoreSchema

from forge.contract.building import BuiltWhenUsed

RARE_KEYWORD = "x-rare"


class Model(BuiltWhenUsed):
    """`class ListIssues(Model, rare=["order"])` names the input fields that agents seldom need.

    They are taken everywhere, and left out of the lists of tools that are kept short.
    """

    rare_fields: ClassVar[frozenset[str]] = frozenset()
    elsewhere: ClassVar[Mapping[str, str]] = {}
    """What callers try to say here, with the tool that takes it."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        # Python code builds and dumps models by field name; the wire is held to aliases by `arguments.parse`
        # and `Tool.render`.
        validate_by_name=True,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
    )

    def __init_subclass__(cls, *, rare: Iterable[str] = (), **config: Unpack[ConfigDict]) -> None:
        super().__init_subclass__(**config)

    @classmethod
    def __pydantic_init_subclass__(cls, *, rare: Iterable[str] = (), **config: Any) -> None:
        super().__pydantic_init_subclass__(**config)
        named = frozenset(rare)
        optional = {name for name, field in cls.model_fields.items() if not field.is_required()}
        if unfit := sorted(named - optional):
            raise TypeError(
                f"{cls.__qualname__}: no optional field {', '.join(unfit)}, so no rare one either"
            )
        cls.rare_fields = cls.rare_fields | named

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        if cls.rare_fields:
            names = (cls.model_fields[name].alias or name for name in cls.rare_fields)
            handler.resolve_ref_schema(schema)[RARE_KEYWORD] = sorted(names)
        return schema

    def given(self) -> dict[str, Any]:
        """What the caller really sent, by field name: what was left out keeps its default, or stays."""
        return self.model_dump(include=self.model_fields_set)

    @classmethod
    def of(cls, source: object, **more: object) -> Self:
        """The view of an item: its attributes of the same names, and whatever is given besides."""
        names = {name: getattr(source, name) for name in cls.model_fields if name not in more}
        return cls.model_validate(names | more)


def _as_utc(moment: datetime) -> datetime:
    try:
        utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("too far from today") from None
    # As it is stored: otherwise the same time, sent again, would look like another.
    return utc.replace(microsecond=utc.microsecond // 1000 * 1000)


Time = Annotated[datetime, AfterValidator(_as_utc)]
"""A moment as callers write it; without a zone it is taken for UTC, as everything here is."""


class NoArguments(Model):
    """The input of a tool that takes none."""


class Done(Model):
    """The answer where there is nothing to show."""

    ok: bool = True


class Deleted(Model):
    id: str
    deleted: bool = True


ValueT = TypeVar("ValueT")


Omittable = Annotated[ValueT | None, Field(exclude_if=lambda value: value is None)]
"""An output field that is left out, rather than null, when there is nothing to say."""

OmittableList = Annotated[list[ValueT], Field(exclude_if=lambda value: not value)]
"""The same of a list."""


class Sections(Model):
    """An output with sections that come only when asked for: a field that was not set is left out."""

    @model_serializer(mode="wrap")
    def _only_what_was_set(self, render: SerializerFunctionWrapHandler, how: SerializationInfo) -> Any:
        fields = type(self).model_fields
        unset = fields.keys() - self.model_fields_set
        hidden = {(fields[name].alias or name) if how.by_alias else name for name in unset}
        return {name: value for name, value in render(self).items() if name not in hidden}


class NullIsAValue:
    """Marks the rare input field for which null says something: `Annotated[str | None, NullIsAValue()]`.

    For every other optional field null means "not given"; updates empty fields with `clear`.
    """


class RendersItself:
    """An output that makes its own JSON text; every other one is a model and rendered as such.

    A plain class, neither model nor protocol: each answer is tested for it, and this test costs least.
    """

    __slots__ = ()

    def to_json(self) -> str:
        raise NotImplementedError


RowT = TypeVar("RowT", bound=Model)


class FullList(Model, Generic[RowT]):
    """All of a list that is never long."""

    data: list[RowT]


class Page(Model, RendersItself, Generic[RowT]):
    """One page of a list. `truncated` says that it ends early: ask on, or read the `reason`."""

    data: list[RowT]
    next_cursor: Omittable[str] = None
    truncated: Omittable[bool] = None
    reason: Omittable[str] = None
    total: Omittable[int] = None
    # Whoever measures a page has rendered it, and rows are too many to do it twice.
    _text: str | None = PrivateAttr(default=None)

    def render(self, row_fields: set[str] | None = None) -> str:
        """Make the text that will be sent, of its rows only these fields where they are given."""
        included: dict[str, IncEx | bool] | None = None
        if row_fields is not None:
            included = {**dict.fromkeys(type(self).model_fields, True), "data": {"__all__": row_fields}}
        text = self.__pydantic_serializer__.to_json(self, by_alias=True, include=included).decode()
        self._text = text
        return text

    def to_json(self) -> str:
        return self._text or self.render()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        copied = super().model_copy(update=update, deep=deep)
        copied._text = None  # noqa: SLF001 - its own kind; what is changed is rendered anew
        return copied


class Rendered(RendersItself):
    """An output that already is JSON text: another tool's answer, passed on unread."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def to_json(self) -> str:
        return self.text


def models_within(annotation: Any) -> frozenset[type[Model]]:
    """The models of an annotation, and those of their fields. Contract models never hold themselves."""
    if not (isinstance(annotation, type) and issubclass(annotation, Model)):
        return frozenset().union(*map(models_within, get_args(annotation)))
    fields = (field.annotation for field in annotation.model_fields.values())
    return frozenset({annotation}).union(*map(models_within, fields))
