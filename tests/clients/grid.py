"""What a terminal shows: lines of characters, as programs that repaint parts of them leave them."""

import re

_TOKEN = re.compile(
    r"\x1b\[(?P<given>[0-9;?<>=]*)[ -/]*(?P<order>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|\x1b[ -/]*[0-~]"
    r"|(?P<control>[\x00-\x1f\x7f])|(?P<text>[^\x00-\x1f\x7f\x1b]+)",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;?<>=]*[ -/]*|\][^\x07\x1b]*|[PX^_].*)?$", re.DOTALL)


class Grid:
    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        self._lines = [[" "] * columns for _ in range(rows)]
        self._past: list[str] = []
        self._row = self._column = 0
        self._rest = ""

    @property
    def text(self) -> str:
        """What has left at the top, and what stands there now."""
        return "\n".join([*self._past, *("".join(line).rstrip() for line in self._lines)])

    def write(self, text: str) -> None:
        text = self._rest + text
        cut = _UNFINISHED.search(text)
        whole, self._rest = (text[: cut.start()], cut[0]) if cut else (text, "")
        for token in _TOKEN.finditer(whole):
            if token["text"]:
                self._put(token["text"])
            elif token["control"]:
                self._control(token["control"])
            elif token["order"]:
                self._order(token["order"], [int(n) for n in re.findall(r"\d+", token["given"])])

    def _put(self, text: str) -> None:
        for character in text:
            if self._column == self._columns:
                self._column = 0
                self._down()
            self._lines[self._row][self._column] = character
            self._column += 1

    def _control(self, control: str) -> None:
        if control == "\r":
            self._column = 0
        elif control == "\n":
            self._down()
        elif control == "\b":
            self._column = max(0, self._column - 1)

    def _down(self) -> None:
        if self._row + 1 < self._rows:
            self._row += 1
            return
        self._past.append("".join(self._lines.pop(0)).rstrip())
        self._lines.append([" "] * self._columns)

    def _order(self, order: str, given: list[int]) -> None:
        first = given[0] if given else 0
        far = max(1, first)
        if order in "AB":
            self._row = min(max(0, self._row + (far if order == "B" else -far)), self._rows - 1)
        elif order in "CD":
            self._column = min(max(0, self._column + (far if order == "C" else -far)), self._columns - 1)
        elif order == "G":
            self._column = min(far, self._columns) - 1
        elif order == "d":
            self._row = min(far, self._rows) - 1
        elif order in "Hf":
            column = given[1] if len(given) > 1 else 1
            self._row, self._column = min(far, self._rows) - 1, min(max(1, column), self._columns) - 1
        elif order in "JK":
            self._erase(order, first)

    def _erase(self, order: str, what: int) -> None:
        """From here on, up to here, or all: of the line, or of the screen."""
        line = self._lines[self._row]
        start, end = (self._column if what == 0 else 0), (self._column + 1 if what == 1 else self._columns)
        line[start:end] = [" "] * (end - start)
        if order == "J":
            rows = (
                range(self._row + 1, self._rows)
                if what == 0
                else range(self._row if what == 1 else self._rows)
            )
            for row in rows:
                self._lines[row] = [" "] * self._columns
