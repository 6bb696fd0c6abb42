"""Values that every call makes and reads: declared like a named tuple, made and read in less time.

To make one takes two thirds of the time, to read a field half of it (decision 0031). Frozen dataclasses would
do it, too, but the router would import `dataclasses`, a quarter of its start.
"""

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """Equal to its like, and not to be changed, which the type checker sees to.

    `class Call(Value)` has the fields that are annotated in it, in their order, with their defaults.
    """

    fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(cls.__annotations__)
        parameters = (f"{name}=cls.{name}" if hasattr(cls, name) else name for name in cls.fields)
        assignments = (f" self.{name} = {name}" for name in cls.fields)
        made: dict[str, Any] = {"cls": cls}
        # As dataclasses and named tuples are made: only a function of its own arguments is as fast.
        exec("\n".join([f"def __init__(self, {', '.join(parameters)}):", *assignments]), made)  # noqa: S102
        cls.__init__ = made["__init__"]  # type: ignore[method-assign]  # what the type checker takes it for

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.fields}

    def replaced(self, **changes: Any) -> Self:
        """The same with these fields changed."""
        return type(self)(**self.as_dict() | changes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"{type(self).__name__}({fields})"
