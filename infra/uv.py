"""Where uv is: the one that `make install` put here, unless the environment names another."""

import os
import shutil
from pathlib import Path

_INSTALLED = Path(__file__).parent.parent / ".tools" / "uv" / "bin" / "uv"


def uv() -> str:
    return os.environ.get("UV") or shutil.which("uv") or str(_INSTALLED)
