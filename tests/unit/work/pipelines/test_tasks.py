from forge.work.pipelines.tasks import MAX_TASKS, Mode, Task, candidates, flaws, parse

_WRITTEN = """# Tasks
mode: parallel

## Task 2: Printer [parallel]
Design: section 2
mode: PARALLEL
files:
- src/b.py

  - `tests/b.py`
AC-1: It prints.
- not a file
depends_on: [1, x, 3]

## Task 1:
- mode: parallel
**mode:** parallel
files: src/a.py
depends_on: 2, 4
### Task 9: no task
## task 8: no task either
## Task 10: Ask
Mode: human_gate
"""


def test_tasks_are_read_by_their_machine_fields_and_ordered_by_number() -> None:
    assert parse(_WRITTEN) == {
        "1": Task(title="", depends_on=[2, 4]),
        "2": Task(
            title="Printer [parallel]",
            mode=Mode.PARALLEL,
            files=["src/b.py", "`tests/b.py`"],
            depends_on=[1, 3],
        ),
        "10": Task(title="Ask", mode=Mode.HUMAN_GATE),
    }
    assert list(parse(_WRITTEN)) == ["1", "2", "10"]


def test_a_number_that_comes_again_replaces_what_was_there() -> None:
    assert parse("## Task 1: A\nmode: parallel\n## Task 1: B\n") == {"1": Task(title="B")}


def test_numbers_in_digits_of_other_scripts_are_those_that_files_are_named_by() -> None:
    written = "## Task １２: 画面\n\n## Task 03: API\ndepends_on: [１２]\n"

    assert parse(written) == {"03": Task(title="API", depends_on=[12]), "12": Task(title="画面")}


def test_a_text_without_headings_has_no_tasks() -> None:
    assert parse("- do this\n- do that") == {}


def test_what_can_begin_has_nothing_to_wait_for() -> None:
    tasks = {
        "10": Task(depends_on=[99]),
        "2": Task(depends_on=[1]),
        "1": Task(is_done=True),
        "3": Task(depends_on=[2]),
        "4": Task(depends_on=[4]),
    }

    assert candidates(tasks) == ["2", "4", "10"]
    assert candidates({"2": Task(depends_on=[1]), "1": Task(depends_on=[2])}) == ["1"]
    assert candidates({"1": Task(is_done=True)}) == []


def test_tasks_that_wait_for_one_another_or_change_one_file_at_once_are_faults() -> None:
    circle = {
        "1": Task(depends_on=[2]),
        "2": Task(depends_on=[3]),
        "3": Task(depends_on=[1]),
        "4": Task(depends_on=[4]),
    }
    rivals = {
        "1": Task(mode=Mode.PARALLEL, files=["a.py", "b.py"]),
        "2": Task(mode=Mode.PARALLEL, files=["b.py"]),
        "3": Task(mode=Mode.PARALLEL, files=["b.py"], depends_on=[1, 2]),
        "4": Task(files=["b.py"]),
    }

    assert flaws(circle).faults == [
        "Tasks wait for one another: 1 → 2 → 3 → 1.",
        "Tasks wait for one another: 4 → 4.",
    ]
    assert flaws(rivals).faults == ["Parallel tasks 1 and 2 change b.py."]


def test_too_many_or_too_long_tasks_are_a_fault() -> None:
    many = {str(number): Task() for number in range(MAX_TASKS + 1)}
    long = {"1": Task(files=["f" * 1000] * 101)}

    assert len(flaws(many).faults) == 1
    assert len(flaws(long).faults) == 1
