"""What layers are made of."""

import shutil
from importlib.metadata import files
from pathlib import Path

from tests.contract.sources import ROOT


def packages_of(*layers: str) -> list[set[str]]:
    """What each layer's requirements name; the shared layer's file has no prefix."""
    listed = [(ROOT / "shared" / f"{layer}requirements.txt").read_text().splitlines()[1:] for layer in layers]
    return [{line.partition("==")[0] for line in lines} for lines in listed]


def copy_packages(*names: str, into: Path) -> None:
    for name in names:
        for file in files(name) or []:
            if ".." not in file.parts:
                (into / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), into / file)
