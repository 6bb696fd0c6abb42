"""The plugin for Claude Code: what of it follows from the declarations."""

import json
from collections.abc import Iterable
from pathlib import Path

from forge import __version__
from forge.contract.offers import Offers
from forge.wire.skills import skill_of

PLUGIN = Path(__file__).parent.parent / "docs" / "examples" / "claude-code"
SKILLS = PLUGIN / "skills"


def plugin_files(offers: Offers) -> dict[Path, str]:
    """Its skills, byte for byte as the server offers them, and its name and version."""
    manifest = {
        "name": "forge",
        "version": __version__,
        "description": "Work on issues of Forge: its tools, its skills, and hooks that keep both sides told.",
    }
    skills = [skill_of(prompt) for prompt in offers.prompts.values()]
    return {
        PLUGIN / ".claude-plugin" / "plugin.json": json.dumps(manifest, indent=2) + "\n",
        **{SKILLS / skill.name / path: text for skill in skills for path, text in skill.files.items()},
    }


def owned_files() -> Iterable[Path]:
    return (path for path in SKILLS.rglob("*") if path.is_file())
