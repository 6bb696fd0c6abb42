"""Skills as this server offers them: in the spelling of its lists, with what it says of itself."""

from functools import cache

from forge.contract.catalog import load_catalog
from forge.contract.profiles import Selection
from forge.contract.prompts import Prompt
from forge.contract.skills import Skill
from forge.wire.identity import instructions_for


@cache
def skill_of(prompt: Prompt) -> Skill:
    """The same bytes for whoever reads them: hosts keep them, and hold them to their digests."""
    spelling = load_catalog().spelling(canonical_names=False)
    written = Skill.of(prompt, instructions_for(Selection()))
    return written._replace(files={path: spelling.text(text) for path, text in written.files.items()})
