"""Models are built when they are first used: to build all of them at once is a tenth of a cold start."""

from collections.abc import Mapping
from threading import RLock
from typing import Any

from pydantic import BaseModel, ConfigDict

_one_at_a_time = RLock()


class BuiltWhenUsed(BaseModel):
    model_config = ConfigDict(defer_build=True)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """One thread at a time: pydantic takes a model apart to build it, and two would do so in turn."""
        with _one_at_a_time:
            return super().model_rebuild(
                force=force,
                raise_errors=raise_errors,
                # This method stands in between.
                _parent_namespace_depth=_parent_namespace_depth + 1,
                _types_namespace=_types_namespace,
            )
