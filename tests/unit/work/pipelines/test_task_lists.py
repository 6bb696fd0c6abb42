"""Tasks in every dress that people and models give them: the same tasks, or what was not understood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.work.pipelines.markdown import MAX_CHARACTERS
from forge.work.pipelines.task_lists import read
from forge.work.pipelines.tasks import Mode, Task

GATE = Mode.HUMAN_GATE


def only(text: str) -> Task:
    """The one task of a list that is understood as a whole."""
    found, faults = read(f"# Tasks\n\n## Task 1: A\n\n{text}\n")
    assert faults == []
    return found["1"]


@pytest.mark.parametrize(
    "written",
    [
        "mode: human_gate",
        "Mode: HUMAN_GATE",
        "- mode: human_gate",
        "* mode: human_gate",
        "1. mode: human_gate",
        "**Mode:** human_gate",
        "**Mode**: human_gate",
        "- **Mode:** `human_gate`",
        "__mode__: human_gate",
        "mode: human-gate",
        "mode: human gate",
        "mode: human_gate (data team)",
        "mode: human_gate(data team)",
        "mode: human_gate — ask the data team",
        "mode: human_gate, because it is production",
        'mode: "human_gate"',
        "mode: `human_gate`",
        "`mode: human_gate`",
        "`mode`: human_gate",
        "mode：human_gate",
        "mode = human_gate",
        "> mode: human_gate",
        "    mode: human_gate",
        "mode: human_gate\n---",
        "### Mode\n\nhuman_gate",
        "**Mode**\nhuman_gate",
        "**Execution mode**\nhuman_gate",
        "mode:\n- human_gate",
        "execution_mode: human_gate",
        "```yaml\nmode: human_gate\n```",
        "| mode | human_gate |\n|---|---|",
        "| Field | Value |\n|---|---|\n| mode | human_gate |",
        "files:\n- a.py\nmode: human_gate",
        "AC-1: It works.\nmode: human_gate",
    ],
)
def test_a_gate_is_read_in_every_dress(written: str) -> None:
    assert only(written).mode is GATE


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("depends_on: [1, 2]", [1, 2]),
        ("depends_on: 1, 2", [1, 2]),
        ("- depends_on: [2]", [2]),
        ("**Depends on:** Task 2", [2]),
        ("depends-on: Task 1, Task 3 (the schema)", [1, 3]),
        ("Depends on: tasks 1 and 2", [1, 2]),
        ("Dependencies: #1, #2", [1, 2]),
        ("depends_on: 1-3", [1, 2, 3]),
        ("depends_on:\n- Task 1\n- Task 2", [1, 2]),
        ("depends_on: １、２", [1, 2]),
        ("depends_on: タスク 2", [2]),
        ("depends_on: []", []),
        ("depends_on: none", []),
        ("depends_on: なし", []),
        ("depends_on:", []),
        ("depends_on: `[1]`", [1]),
    ],
)
def test_dependencies_are_the_numbers_of_tasks_however_they_are_named(
    written: str, numbers: list[int]
) -> None:
    assert only(written).depends_on == numbers


@pytest.mark.parametrize(
    ("written", "files"),
    [
        ("files: migrations/001.sql", ["migrations/001.sql"]),
        ("files: `a.py`, `b.py` (new)", ["a.py", "b.py"]),
        ("files: [a.py, b.py]", ["a.py", "b.py"]),
        ("**Files:** a.py, b.py", ["a.py", "b.py"]),
        ("files:\n- a.py\n- b.py", ["a.py", "b.py"]),
        ("files:\n  - a.py\n\n  - b.py", ["a.py", "b.py"]),
        ("- files:\n  - a.py\n  - `b.py`\n- Something else", ["a.py", "b.py"]),
        ("- **Files**:\n    * **a.py**\n    * b.py — creates it", ["a.py", "b.py"]),
        ("- files:\n- a.py\n- See the design.", ["a.py"]),
        ("files:\n- src/__init__.py\n- src/*.py, tests/*.py", ["src/__init__.py", "src/*.py", "tests/*.py"]),
        ("files:\n- [a.py](src/a.py)\n- b.py (delete)", ["a.py", "b.py"]),
        ("### Files\n\n- a.py\n\nAcceptance:\n- AC-1: b.py is read", ["a.py"]),
        ("files:\n- a.py\n  says what it is\n- b.py\nAcceptance:\n- AC-1", ["a.py", "b.py"]),
        ("files: app/(auth)/[id].tsx (new)", ["app/(auth)/[id].tsx"]),
        ("files: none", []),
        ("files:\n- a.py\n\nText\n\n- not a file", ["a.py"]),
    ],
)
def test_files_are_read_on_one_line_in_lists_and_with_remarks(written: str, files: list[str]) -> None:
    assert only(written).files == files


@pytest.mark.parametrize(
    "heading",
    [
        "## Task 2: B",
        "### Task 2: B",
        "#### Task 2: B",
        "## Task 2. B",
        "## Task 2 - B",
        "## Task 2 — B",
        "## Task 2：B",
        "## Task ２: B",
        "## Task #2: B",
        "## **Task 2:** B",
        "## **Task 2: B**",
        "## task 2: B",
        "## Task 2) B",
        "## Task 2 B",
        "## タスク2：B",
        "## Task 2: B ##",
    ],
)
def test_a_task_begins_with_a_heading_of_level_two_to_four(heading: str) -> None:
    found, faults = read(f"## Task 1: A\nmode: parallel\n\n{heading}\nmode: human_gate\n")

    assert faults == []
    assert found == {"1": Task(title="A", mode=Mode.PARALLEL), "2": Task(title="B", mode=GATE)}


@pytest.mark.parametrize(
    "written",
    [
        "mode: humn_gate",
        "mode: parallel or human_gate",
        "mode: sequential (a human_gate later)",
        "mode: ask somebody",
        "mode:\n\n## Notes",
        "mode: parallel\nmode: human_gate",
        "depends_on: the schema",
        "depends_on: [1, x]",
        "depends_on: 9-1",
        "# Task 2: too high",
        "##### Task 2: too deep",
        "**Task 2: only bold**",
        "## Task 1: again",
        "```\nexample\nmode: human_gate\n```",
        "```\n## Task 2: never closed\nmode: parallel",
        "## Notes\n\nmode: human_gate",
        "files: " + "a/" * 3000,
    ],
)
def test_what_looks_like_a_task_or_field_and_is_not_understood_is_quoted(written: str) -> None:
    found, faults = read(f"## Task 1: A\n\n{written}\n")

    assert len(faults) == 1
    assert faults[0].startswith("Not understood: `")
    assert found["1"].title in ("A", "again")


def test_a_mode_that_can_not_be_read_is_a_gate_for_whoever_goes_on_with_it() -> None:
    assert read("## Task 1: A\nmode: hmm\n").tasks["1"].mode is GATE


@pytest.mark.parametrize("title", ["Migrate [human_gate]", "Migrate (human gate)"])
def test_a_title_that_says_gate_agrees_with_the_mode(title: str) -> None:
    assert read(f"## Task 1: {title}\nmode: human_gate\n").faults == []
    assert len(read(f"## Task 1: {title}\nmode: parallel\n").faults) == 1


@pytest.mark.parametrize(
    ("numbers", "missing"), [((1, 3), "2"), ((2, 3), "1"), ((1, 2, 6), "3, 4, 5"), ((0, 2), "1")]
)
def test_a_gap_in_the_numbers_is_a_task_that_was_not_seen(numbers: tuple[int, ...], missing: str) -> None:
    written = "\n".join(f"## Task {number}: x\n" for number in numbers)

    assert read(written).faults[0].startswith(f"There is no task {missing}:")


@pytest.mark.parametrize("written", ["- do this\n- do that", "", "# Tasks\n\nmode: parallel"])
def test_a_text_without_headings_has_no_tasks(written: str) -> None:
    assert read(written) == ({}, [])


def test_what_stands_before_the_first_task_is_an_overview() -> None:
    written = "# Tasks\n\n- Task 1: A\n- Task 2: B\n\n## Task 1: A\n\n## Task 2: B\n"

    assert read(written) == ({"1": Task(title="A"), "2": Task(title="B")}, [])


def test_a_list_that_stands_in_one_block_of_markdown_is_read() -> None:
    assert read("```markdown\n## Task 1: A\nmode: human_gate\n```\n").tasks["1"].mode is GATE


def test_numbers_are_kept_as_written_in_the_digits_that_files_are_named_by() -> None:
    written = "## Task ٢: 画面\n\n## Task 01: API\ndepends_on: [2]\n"

    assert read(written) == ({"01": Task(title="API", depends_on=[2]), "2": Task(title="画面")}, [])


def test_a_list_that_is_too_long_to_read_is_sent_back() -> None:
    found, faults = read("## Task 1: A\n" + "x" * MAX_CHARACTERS)

    assert (found, len(faults)) == ({}, 1)


def test_a_hostile_list_ends_with_few_faults() -> None:
    assert len(read("## Task 1: A\n" + "mode: (((((\n" * 2000).faults) == 20


_TASKS = st.builds(
    Task,
    title=st.sampled_from(["Add it", "画面を作る", "Move a-b: the second"]),
    mode=st.sampled_from(Mode),
    files=st.lists(st.sampled_from(["a.py", "src/__init__.py", "migrations/*.sql"]), unique=True, max_size=3),
    depends_on=st.just([]),
)
_HEADINGS = st.sampled_from(
    ["## Task {n}: {t}", "### Task {n} - {t}", "#### **Task {n}.** {t}", "## Task {n}：{t}"]
)
_NAMES = st.sampled_from(["{}:", "- {}:", "**{}:**", "- **{}**:", "* `{}`:", "> {}：", "  {}:"])
_MODES = st.sampled_from(["{}", "`{}`", "**{}**", '"{}"', "{}.", "{} (by hand)", "{} — see above"])
_NUMBERS = st.sampled_from(["{}", "[{}]"])
_FILES = st.sampled_from(["{}", "`{}`", "**{}**", "{} (new)"])


@given(st.data())
def test_the_same_tasks_are_read_from_any_dress(data: st.DataObject) -> None:
    numbers = range(1, data.draw(st.integers(1, 4)) + 1)
    wanted = {
        str(number): data.draw(_TASKS).changed(
            depends_on=data.draw(st.lists(st.sampled_from(numbers), unique=True))
        )
        for number in numbers
    }

    assert read("\n\n".join(["# Tasks", *(_dressed(n, task, data) for n, task in wanted.items())])) == (
        wanted,
        [],
    )


def _dressed(number: str, task: Task, data: st.DataObject) -> str:
    mode = task.mode if data.draw(st.booleans()) else task.mode.replace("_", "-").upper()
    named = ", ".join(f"Task {one}" if data.draw(st.booleans()) else str(one) for one in task.depends_on)
    files = [data.draw(_FILES).format(file) for file in task.files]
    fields = [
        f"{data.draw(_NAMES).format('Mode')} {data.draw(_MODES).format(mode)}",
        f"{data.draw(_NAMES).format('depends_on')} {data.draw(_NUMBERS).format(named)}",
        _files(data.draw(_NAMES).format("files"), files, is_list=data.draw(st.booleans())),
    ]
    said = ["Design: section 2", "- AC-1: It works.", *data.draw(st.permutations(fields))]
    return "\n\n".join([data.draw(_HEADINGS).format(n=number, t=task.title), *said])


def _files(name: str, files: list[str], *, is_list: bool) -> str:
    if not is_list:
        return f"{name} {', '.join(files)}"
    quote = "> " if name.startswith(">") else ""
    return "\n".join([name, *(f"{quote}  - {file}" for file in files)])
