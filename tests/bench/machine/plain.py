"""What a team would write without Forge: FastAPI and SQLite, and of each call the least that answers it.

A key is looked up, a write and its event are one durable transaction, and SQLite's own index
finds words. There is no rate, scope, narrowing, mode, idempotency, webhook or run behind it.
"""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from secrets import token_hex
from threading import Lock, local
from typing import Annotated, Any

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

_SCHEMA = """
CREATE TABLE keys (hash TEXT PRIMARY KEY, agent TEXT);
CREATE TABLE issues (id TEXT PRIMARY KEY, title TEXT, description TEXT, priority TEXT, updated TEXT);
CREATE INDEX by_update ON issues (updated DESC);
CREATE TABLE comments (id TEXT PRIMARY KEY, issue TEXT, body TEXT, created TEXT);
CREATE TABLE runs (id TEXT PRIMARY KEY, tokens_in INT, tokens_out INT, cost REAL);
CREATE TABLE inbox (agent TEXT, created TEXT, what TEXT);
CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT, subject TEXT, payload TEXT, created TEXT);
CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, title, description);
"""
app = FastAPI()
_threads = local()
_one_writer = Lock()
_numbers = count(1)


class Arguments(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class CreateIssue(BaseModel):
    title: Annotated[str, Field(min_length=1, max_length=300)]
    description: Annotated[str, Field(max_length=100_000)] = ""
    priority: str = "NONE"


class CreateComment(Arguments):
    issue_id: str
    body: Annotated[str, Field(min_length=1, max_length=100_000)]


class GetIssue(BaseModel):
    id: str


class ListIssues(BaseModel):
    limit: int = 20
    query: str | None = None


class RecordUsage(Arguments):
    run_id: str
    tokens_in: int
    tokens_out: int
    cost_usd: float


def _database() -> sqlite3.Connection:
    """One for each thread; what was committed is on the disk."""
    if not hasattr(_threads, "database"):
        _threads.database = sqlite3.connect(sys.argv[2], isolation_level=None)
        _threads.database.row_factory = sqlite3.Row
        _threads.database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
    database: sqlite3.Connection = _threads.database
    return database


@contextmanager
def _transaction(kind: str, subject: str, payload: str) -> Iterator[tuple[sqlite3.Connection, str]]:
    database, now = _database(), datetime.now(UTC).isoformat()  # noqa: TID251 - not our server
    with _one_writer:
        database.execute("BEGIN IMMEDIATE")
        yield database, now
        database.execute(
            "INSERT INTO events (kind, subject, payload, created) VALUES (?, ?, ?, ?)",
            (kind, subject, payload, now),
        )
        database.execute("COMMIT")


def _agent(authorization: Annotated[str, Header()]) -> str:
    hashed = sha256(authorization.removeprefix("Bearer ").encode()).hexdigest()
    found = _database().execute("SELECT agent FROM keys WHERE hash = ?", (hashed,)).fetchone()
    if found is None:
        raise HTTPException(401)
    return str(found["agent"])


Agent = Annotated[str, Depends(_agent)]


@app.post("/api/mcp/issues.create")
def create_issue(given: CreateIssue, agent: Agent) -> dict[str, Any]:
    issue_id = f"iss_{token_hex(12)}"
    with _transaction("ISSUE_CREATED", issue_id, given.model_dump_json()) as (database, now):
        row = (issue_id, given.title, given.description, given.priority, now)
        database.execute("INSERT INTO issues VALUES (?, ?, ?, ?, ?)", row)
        database.execute("INSERT INTO words VALUES (?, ?, ?)", row[:3])
    return {
        "id": issue_id,
        "identifier": f"DEMO-{next(_numbers)}",
        **given.model_dump(by_alias=True),
        "createdAt": now,
    }


@app.post("/api/mcp/comments.create")
def create_comment(given: CreateComment, agent: Agent) -> dict[str, Any]:
    comment_id = f"cmt_{token_hex(12)}"
    with _transaction("COMMENT_CREATED", comment_id, given.model_dump_json()) as (database, now):
        database.execute(
            "INSERT INTO comments VALUES (?, ?, ?, ?)", (comment_id, given.issue_id, given.body, now)
        )
        database.execute("UPDATE issues SET updated = ? WHERE id = ?", (now, given.issue_id))
    return {"id": comment_id, **given.model_dump(by_alias=True), "authorId": agent, "createdAt": now}


@app.post("/api/mcp/runs.recordUsage")
def record_usage(given: RecordUsage, agent: Agent) -> dict[str, Any]:
    with _transaction("AGENT_RUN_USAGE", given.run_id, given.model_dump_json()) as (database, _):
        row = (given.run_id, given.tokens_in, given.tokens_out, given.cost_usd)
        database.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", row)
    return {"id": given.run_id, **given.model_dump(by_alias=True)}


@app.post("/api/mcp/issues.get")
def get_issue(given: GetIssue, agent: Agent) -> dict[str, Any]:
    database = _database()
    found = database.execute("SELECT * FROM issues WHERE id = ?", (given.id,)).fetchone()
    if found is None:
        raise HTTPException(404)
    said = database.execute(
        "SELECT * FROM comments WHERE issue = ? ORDER BY created DESC LIMIT 20", (given.id,)
    )
    return {**dict(found), "comments": [dict(row) for row in said]}


@app.post("/api/mcp/issues.list")
def list_issues(given: ListIssues, agent: Agent) -> dict[str, Any]:
    rows = _database().execute(
        "SELECT id, title, priority, updated FROM issues ORDER BY updated DESC LIMIT ?", (given.limit,)
    )
    return {"data": [dict(row) for row in rows]}


@app.post("/api/mcp/agent.inbox")
def inbox(agent: Agent) -> dict[str, Any]:
    rows = _database().execute("SELECT * FROM inbox WHERE agent = ? ORDER BY created LIMIT 20", (agent,))
    return {"data": [dict(row) for row in rows]}


def main() -> None:
    """`plain.py PORT FILE KEY…`"""
    _database().executescript(_SCHEMA)
    for number, key in enumerate(sys.argv[3:]):
        row = (sha256(key.encode()).hexdigest(), f"agent-{number}")
        _database().execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", row)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
