"""Children: they see what they may, end with whoever started them, and leave nothing behind."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from forge.cli.calls import BadArguments
from forge.cli.worker.agents.claude import claude_agent
from forge.cli.worker.agents.lines import link_credentials
from forge.cli.worker.agents.protocol import End, Order
from forge.cli.worker.processes import leftovers, sandbox
from forge.cli.worker.processes.children import Child, Start, launched
from forge.cli.worker.processes.sandbox import Places
from forge.cli.worker.processes.surroundings import MARKER, environment, make_home
from forge.cli.worker.settings.settings import Sandbox
from tests.integration.cli.processes import eventually, is_running

RUN = "run_of_these_tests"


def a_child(tmp_path: Path, script: str, text: str | None = "") -> Child:
    around = {"PATH": os.environ["PATH"], MARKER: f"{RUN}_{tmp_path.name}"}
    return Child(Start(["sh", "-c", script], tmp_path, around, tmp_path / "complaints"), text)


def test_a_child_gets_its_prompt_on_standard_input_and_is_heard_line_by_line(tmp_path: Path) -> None:
    child = a_child(tmp_path, "cat; echo oh >&2; exit 3", "one\ntwo\n")

    assert [*child.lines()] == ["one", "two"]
    assert (child.wait(), child.last_words()) == (3, "oh")


def test_no_other_file_passes_for_what_a_child_complained_of(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the worker", encoding="utf-8")
    child = a_child(tmp_path, f"ln -sf {secret} complaints; exit 1")

    assert (child.wait(), child.last_words()) == (1, "")


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    child = Child(Start(["/no/such/program"], tmp_path, {}, tmp_path / "complaints"), "")

    assert child.wait() == 127
    assert "could not be started" in child.last_words()


def test_what_a_child_left_running_ends_with_it_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    child = a_child(tmp_path, "setsid sleep 300 & echo $!; sleep 300 & echo $!; exit 0")

    left = [int(line) for line in child.lines()]

    assert child.wait() == 0
    assert len(left) == 2
    eventually(lambda: not any(map(is_running, left)), "an end of what was left")


def test_a_child_is_asked_to_end_and_then_made_to(tmp_path: Path) -> None:
    polite = a_child(tmp_path, "trap 'echo bye; exit 7' INT; echo ready; while :; do sleep 0.05; done")
    lines = polite.lines()
    next(lines)
    polite.stop()
    assert ([*lines], polite.wait()) == (["bye"], 7)

    deaf = a_child(tmp_path, "trap '' INT TERM; echo ready; while :; do sleep 0.05; done")
    next(deaf.lines())
    deaf.stop([(signal.SIGINT, 0.01), (signal.SIGTERM, 0.01)])
    assert deaf.wait() == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "import os, subprocess, sys, time\n"
        "from forge.cli.worker.processes.children import launched\n"
        "child = subprocess.Popen(launched(['sleep', '300']))\n"
        "print(child.pid, flush=True)\ntime.sleep(300)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()

    eventually(lambda: not is_running(child), "an end of the child")


def test_leftovers_of_another_run_are_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "300"], env={**os.environ, MARKER: f"{RUN}_{tmp_path.name}_2"}) as other:
        assert leftovers.end_all(f"{RUN}_{tmp_path.name}") == 0
        assert leftovers.end_all("") == 0
        assert leftovers.end_all(f"{RUN}_{tmp_path.name}_2") == 1
        other.wait()


def test_a_child_sees_of_the_environment_what_is_on_the_list(tmp_path: Path) -> None:
    around = {"PATH": "/bin", "LC_TIME": "C", "AWS_SECRET_ACCESS_KEY": "x", "FORGE_KEY": "y", "MODEL": "z"}

    seen = environment(around, run_id="run_1", home=tmp_path, named=["MODEL"], given={"FORGE_RUN_KEY": ""})

    assert seen == {
        "PATH": "/bin",
        "LC_TIME": "C",
        "MODEL": "z",
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "tmp"),
        MARKER: "run_1",
    }


def test_the_home_of_a_run_is_nobody_elses(tmp_path: Path) -> None:
    make_home(tmp_path / "home")

    assert (tmp_path / "home").stat().st_mode & 0o077 == 0
    assert (tmp_path / "home" / "tmp").is_dir()


def test_in_a_sandbox_a_child_writes_to_its_own_folders_only(tmp_path: Path) -> None:
    places = Places(tmp_path / "w", tmp_path / "h", tmp_path / "c.git")

    words = sandbox.wrapped(["claude", "-p"], places, {"PATH": "/usr/bin:/home/me/.node/bin"})

    joined = " ".join(words)
    assert words[0] == "bwrap"
    assert words[-3:] == ["--", "claude", "-p"]
    assert f"--bind {tmp_path}/w {tmp_path}/w " in joined
    assert f"--chdir {tmp_path}/w" in joined
    assert "--ro-bind-try /home/me/.node /home/me/.node" in joined
    assert "--die-with-parent" in words


def test_in_a_sandbox_a_child_only_reads_what_the_workers_git_goes_by(tmp_path: Path) -> None:
    own = tmp_path / "c.git" / "worktrees" / "w"
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")

    words = sandbox.wrapped(["claude"], Places(tmp_path / "w", tmp_path / "h", tmp_path / "c.git"), {})

    mounted = {place: how for how, place in pairwise(words) if "bind" in how}
    told = (own.parent, tmp_path / "c.git" / "config", tmp_path / "w" / ".git", own / "commondir")
    assert {mounted[str(place)] for place in told} == {"--ro-bind-try"}
    assert mounted[str(own)] == "--bind"
    assert words.index(str(tmp_path / "c.git")) < words.index(str(own.parent)) < words.index(str(own))


def test_who_wants_a_sandbox_where_there_is_none_is_refused(tmp_path: Path) -> None:
    broken, works = tmp_path / "broken", tmp_path / "works"
    for program, code in ((broken, 1), (works, 0)):
        program.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
        program.chmod(0o755)

    assert sandbox.is_wanted(Sandbox.ON, str(works))
    assert not sandbox.is_wanted(Sandbox.AUTO, str(broken))
    assert not sandbox.is_wanted(Sandbox.OFF, str(works))
    with pytest.raises(BadArguments, match="bubblewrap"):
        sandbox.is_wanted(Sandbox.ON, str(broken))


def test_no_word_of_a_command_is_lost_on_its_way() -> None:
    assert launched(["a", "b c"])[-2:] == ["a", "b c"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of the owner, with programs in it and what is nobody else's business."""
    found = tmp_path / "me"
    for name in (".ssh/id", ".local/share/keyrings/login", ".local/state/forge-worker/lock", "bin/mine"):
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_text("#!/bin/sh\necho mine\n", encoding="utf-8")
        (found / name).chmod(0o755)
    version = found / ".local" / "share" / "agent" / "versions" / "2"
    version.mkdir(parents=True)
    (version / "agent").write_text("#!/bin/sh\necho agent\n", encoding="utf-8")
    (version / "agent").chmod(0o755)
    (found / ".local" / "bin").mkdir()
    (found / ".local" / "bin" / "agent").symlink_to(version / "agent")
    return found


def test_in_a_sandbox_nothing_of_the_owners_home_is_seen_but_programs(home: Path, tmp_path: Path) -> None:
    if not sandbox.is_wanted(Sandbox.AUTO):
        pytest.skip("there is no bubblewrap here")
    places = Places(tmp_path / "w", tmp_path / "h", tmp_path / "c.git")
    for place in places[:3]:
        place.mkdir()
    path = f"{home}/bin:{home}/.local/bin:/usr/bin:/bin"
    script = f"mine; agent; find {home} -type f | sort; cat {home}/.ssh/id"

    words = sandbox.wrapped(["sh", "-c", script], places, {"PATH": path}, home=home)
    done = subprocess.run(words, env={"PATH": path}, capture_output=True, text=True, check=False)

    seen = [f"{home}/.local/share/agent/versions/2/agent", f"{home}/bin/mine"]
    assert done.stdout.splitlines() == ["mine", "agent", *seen], done.stderr


def test_in_a_sandbox_an_agent_is_signed_in_as_its_owner_is(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sandbox.is_wanted(Sandbox.AUTO):
        pytest.skip("there is no bubblewrap here")
    monkeypatch.setenv("HOME", str(home))
    places = Places(tmp_path / "w", tmp_path / "h", tmp_path / "c.git")
    for place in places[:3]:
        place.mkdir()
    known = link_credentials([(".ssh/id", "agent/credentials")], places.home)

    words = sandbox.wrapped(["cat", f"{places.home}/agent/credentials"], places, {"PATH": "/usr/bin"}, known)
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert "echo mine" in done.stdout, done.stderr


def test_who_hangs_after_its_result_is_ended_and_its_result_counts(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    result = json.dumps({"type": "result", "result": "Did it."})
    program.write_text(f"#!/bin/sh\ncat > /dev/null\necho '{result}'\nexec sleep 600\n", encoding="utf-8")
    program.chmod(0o755)
    agent = replace(claude_agent(str(program)), seconds_to_leave=0.1)

    order = Order("Do it.", tmp_path, tmp_path, {"PATH": "/usr/bin:/bin"})
    outcome = agent.work(order, lambda heard: None, lambda stop: None)

    assert (outcome.end, outcome.text) == (End.DONE, "Did it.")
