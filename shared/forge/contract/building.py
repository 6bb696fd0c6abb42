"""Models are built when they are first used: to build all of them at once is a tenth of a cold start."""

import sys
from collections.abc import Mapping
from threading import RLock
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict

_one_at_a_time = RLock()
_PLUGINS = "pydantic.plugin._loader"


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
            _forgo_plugins()
            return super().model_rebuild(
                force=force,
                raise_errors=raise_errors,
                # This method stands in between.
                _parent_namespace_depth=_parent_namespace_depth + 1,
                _types_namespace=_types_namespace,
            )


def _forgo_plugins() -> None:
    """Before its first model, pydantic asks all installed distributions for plugins: a tenth of a cold start.

    There are none for it to find, and its switch for that comes after the dearer part, the import of what
    reads distributions.
    """
    if _PLUGINS not in sys.modules:
        none = ModuleType(_PLUGINS, "No plugins; see forge.contract.building.")
        vars(none)["get_plugins"] = tuple
        sys.modules[_PLUGINS] = none
