from forge.work.pipelines.tasks import MAX_TASKS, Mode, Task, candidates, flaws


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
