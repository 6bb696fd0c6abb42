"""What agents with a command line say, and how they are started."""

import json
import sys

import pytest

from forge.cli.driving.agents import AgentFailed, Work, command_of, read_output, run

CLAUDE = {
    "type": "result",
    "is_error": False,
    "result": "Done.",
    "total_cost_usd": 0.5,
    "usage": {
        "input_tokens": 1,
        "cache_creation_input_tokens": 2,
        "cache_read_input_tokens": 3,
        "output_tokens": 4,
    },
}
CODEX = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}},
    {"type": "turn.completed", "usage": {"input_tokens": 7, "cached_input_tokens": 5, "output_tokens": 3}},
]


@pytest.mark.parametrize(
    ("said", "work"),
    [
        ("## Text\n", Work("## Text\n")),
        (json.dumps(CLAUDE), Work("Done.", 10, 0.5)),
        ("\n".join(map(json.dumps, [{"type": "system"}, CLAUDE])), Work("Done.", 10, 0.5)),
        ("\n".join(map(json.dumps, CODEX)), Work("Done.", 10)),
        ('{"a": 1}', Work('{"a": 1}')),
    ],
)
def test_text_tokens_and_cost_are_read_from_what_an_agent_prints(said: str, work: Work) -> None:
    assert read_output(said) == work


def test_an_agent_that_fails_says_why() -> None:
    with pytest.raises(AgentFailed, match="ended with 3: no key"):
        run([sys.executable, "-c", "import sys; sys.stderr.write('no key'); sys.exit(3)"], "prompt")
    with pytest.raises(AgentFailed, match="Over budget"):
        read_output(json.dumps(CLAUDE | {"is_error": True, "result": "Over budget"}))


def test_an_agent_gets_its_prompt_on_standard_input() -> None:
    assert run([sys.executable, "-c", "print(input())"], "a prompt").text == "a prompt\n"


def test_known_agents_are_started_so_that_they_work_with_nobody_there() -> None:
    claude = command_of("claude", ["Read"])

    assert claude[-2:] == ["--allowedTools", "Read"]
    assert command_of("codex")[:3] == ["codex", "exec", "--json"]
    assert command_of("claude -p --model opus") == ["claude", "-p", "--model", "opus"]
