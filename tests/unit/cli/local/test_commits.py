"""When an answer leaves: after the disk, together with others, or never."""

import asyncio
from collections.abc import Callable
from threading import Event

import pytest

from forge.cli.local.commits import Commits, NotKept
from forge.cli.local.documents import Change, Step


class Disk:
    """Holds each write until it is let go, and refuses when it is full."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.is_full = False
        self.may_write = Event()
        self.may_write.set()

    def write(self, changes: list[Change]) -> None:
        self.may_write.wait()
        if self.is_full:
            raise OSError(28, "No space left on device")
        self.batches.append([change.path[0] for change in changes])


class Memory:
    """What requests have done, and what was said of the disk."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.said: list[str | None] = []

    def execute(self, name: str) -> Step:
        self.names.append(name)
        return Step([Change((name,), 1)], self._undo_of(name))

    def _undo_of(self, name: str) -> Callable[[], None]:
        def undo() -> None:
            # In the reverse order, or not at all.
            assert self.names.pop() == name

        return undo


def test_a_read_with_nothing_under_way_waits_for_nothing() -> None:
    disk, memory = Disk(), Memory()
    disk.may_write.clear()

    asyncio.run(Commits(disk.write, memory.said.append).keep())

    assert disk.batches == []


def test_what_comes_while_the_disk_is_busy_is_one_write() -> None:
    disk, memory = Disk(), Memory()

    async def scene() -> None:
        commits = Commits(disk.write, memory.said.append)
        disk.may_write.clear()
        first = asyncio.create_task(commits.keep(memory.execute("a")))
        await asyncio.sleep(0)
        rest = [asyncio.create_task(commits.keep(memory.execute(name))) for name in "bc"]
        await asyncio.sleep(0)
        disk.may_write.set()
        await asyncio.gather(first, *rest)

    asyncio.run(scene())

    assert disk.batches == [["a"], ["b", "c"]]
    assert memory.said == []


def test_a_read_waits_for_what_it_may_have_seen() -> None:
    disk, memory = Disk(), Memory()

    async def scene() -> bool:
        commits = Commits(disk.write, memory.said.append)
        disk.may_write.clear()
        write = asyncio.create_task(commits.keep(memory.execute("a")))
        await asyncio.sleep(0)
        read = asyncio.create_task(commits.keep())
        await asyncio.sleep(0)
        had_answered = read.done()
        disk.may_write.set()
        await asyncio.gather(write, read)
        return had_answered

    assert not asyncio.run(scene())


def test_a_full_disk_takes_everything_back_and_tells_it_once() -> None:
    disk, memory = Disk(), Memory()

    async def scene() -> list[BaseException | None]:
        commits = Commits(disk.write, memory.said.append)
        await commits.keep(memory.execute("kept"))
        disk.is_full = True
        disk.may_write.clear()
        tasks = [asyncio.create_task(commits.keep(memory.execute("a")))]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(commits.keep(memory.execute(name))) for name in "bc"]
        tasks.append(asyncio.create_task(commits.keep()))
        await asyncio.sleep(0)
        disk.may_write.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    refused = asyncio.run(scene())

    assert [type(each) for each in refused] == [NotKept] * 4
    assert memory.names == ["kept"]
    assert memory.said == ["[Errno 28] No space left on device"]


def test_when_there_is_room_again_it_goes_on_and_says_so() -> None:
    disk, memory = Disk(), Memory()

    async def scene() -> None:
        commits = Commits(disk.write, memory.said.append)
        disk.is_full = True
        for name in "ab":
            with pytest.raises(NotKept):
                await commits.keep(memory.execute(name))
        disk.is_full = False
        for name in "cd":
            await commits.keep(memory.execute(name))

    asyncio.run(scene())

    assert memory.names == ["c", "d"]
    assert disk.batches == [["c"], ["d"]]
    assert [bool(problem) for problem in memory.said] == [True, False]
