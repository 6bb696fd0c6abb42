"""The reference page of prompts, resources and completions, as they are declared."""

from collections.abc import Mapping

from forge.contract.offering import Offering
from forge.contract.offers import Resource
from forge.contract.prompts import Prompt


def offers_page(offerings: Mapping[str, Offering]) -> str:
    prompts = [one for offering in offerings.values() for one in offering.prompts.values()]
    resources = [
        (one, folder) for folder, offering in offerings.items() for one in offering.resources.values()
    ]
    completions = [one for offering in offerings.values() for one in offering.completions.values()]
    words = [
        f"| {one.name} | `{one.value}` of `{one.tool}` | {', '.join(f'`{name}`' for name in one.also)} |"
        for one in sorted(completions)
    ]
    return (
        "# Prompts and resources\n\n"
        "What clients offer people besides tools, pruned to the scopes of the key. Over MCP `prompts/list` "
        "and `prompts/get`, `resources/list`, `resources/templates/list` and `resources/read`, and "
        "`completion/complete`; over REST `GET /api/mcp/prompts` (`?name=` fills one in) and "
        "`GET /api/mcp/resources` (`?uri=` reads one).\n\n"
        "## Resources\n\n| address | what | scopes |\n|---|---|---|\n"
        + "\n".join(_resource(*one) for one in sorted(resources, key=lambda pair: pair[0].uri))
        + "\n\n## Completions\n\n| of | values | also found by |\n|---|---|---|\n"
        + "\n".join(words)
        + "\n\n## Prompts\n\n"
        + "\n\n".join(_prompt(one) for one in sorted(prompts, key=lambda prompt: prompt.name))
        + "\n"
    )


def _resource(one: Resource, folder: str) -> str:
    return f"| `{one.uri}` | {one.description} ([{one.namespace}]({folder}.md)) | {_scopes(one.scopes)} |"


def _prompt(one: Prompt) -> str:
    arguments = [
        f"- `{argument.name}`{' (required)' if argument.required else ''}: {argument.description}"
        for argument in one.arguments
    ]
    facts = f"{one.description}\n\nscopes: {_scopes(one.scopes)}"
    return f"### {one.name}\n\n{facts}\n\n" + "\n".join(arguments) + f"\n\n````text\n{one.text}\n````"


def _scopes(scopes: tuple[str, ...]) -> str:
    return ", ".join(f"`{scope}`" for scope in scopes)
