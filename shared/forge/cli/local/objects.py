"""S3: an object is two files of the engine's; before the answer both are on the disk, or both as before."""

import json
from pathlib import Path as File
from typing import Any

from ministack.services import s3

from forge.cli.local.answers import Answer
from forge.cli.local.documents import BUCKET, Change, Documents, Step
from forge.cli.local.undoing import Undo

_LISTING = frozenset(
    {"continuation-token", "delimiter", "encoding-type", "fetch-owner", "list-type", "location", "marker"}
    | {"max-keys", "prefix", "start-after"}
)


def is_on(method: str, path: str, query: dict[str, list[str]], headers: dict[str, str]) -> bool:
    """Objects and copies of them as a whole, and buckets to put them in: no parts or versions.

    Of settings only how long objects stay, which is not kept, because whoever starts sets it anew.
    """
    bucket, _, key = path.lstrip("/").partition("/")
    others = {name.lower() for name in query if not name.lower().startswith(("x-amz-", "x-id", "response-"))}
    if not bucket or ("x-amz-copy-source" in headers and not (method == "PUT" and key)):
        return False
    if key:
        return method in ("GET", "HEAD", "PUT", "DELETE") and not others
    return (method in ("GET", "HEAD") and others <= _LISTING) or (method == "PUT" and others <= {"lifecycle"})


class BucketBefore:
    def __init__(self, path: str) -> None:
        self._name = path.strip("/")
        self._was_there = self._name in s3._buckets

    def step(self) -> Step:
        bucket = s3._buckets.get(self._name)
        if self._was_there or bucket is None:
            return Step([], lambda: None)
        settings = {name: value for name, value in bucket.items() if name != "objects"}
        return Step([Change((BUCKET, self._name), settings)], lambda: s3._buckets.pop(self._name, None))


class ObjectBefore:
    """An object as it was, and a way back to it; one change at a time."""

    def __init__(self, undo: Undo, path: str) -> None:
        self._bucket, _, self._key = path.lstrip("/").partition("/")
        self._undo = undo
        self._record = self._records().get(self._key)
        place = s3._object_disk_path(self._bucket, self._key)
        self._file = File(place) if place else None

    def remember(self) -> None:
        if self._file is None:
            raise OSError("This name has no place on the disk.")
        self._undo.remember(self._file)

    def keep(self) -> None:
        """Have it on the disk as it is now, or raise an OSError."""
        record = self._records().get(self._key)
        # The engine logs what it could not write, and goes on with it in memory.
        if record is not None and record.get("body") is not None:
            raise OSError("The object could not be written.")
        if self._file is not None:
            self._undo.forget(self._file, File(s3.DATA_DIR))

    def put_back(self) -> None:
        self._undo.put_back()
        if self._record is None:
            self._records().pop(self._key, None)
        else:
            self._records()[self._key] = self._record

    def _records(self) -> Any:
        bucket = s3._buckets.get(self._bucket)
        return bucket["objects"] if bucket else {}


def restore(documents: Documents) -> None:
    """The engine finds the objects on the disk, but not what is empty."""
    for path, document in documents.items():
        if path[0] == BUCKET:
            s3._buckets.setdefault(path[1], {"objects": {}}).update(document)


def documents() -> Documents:
    found: Documents = {}
    for name, bucket in s3._buckets.items():
        settings = {key: value for key, value in bucket.items() if key != "objects"}
        found[BUCKET, name] = json.loads(json.dumps(settings))
    return found


def shown(method: str, path: str, headers: dict[str, str], answer: Answer) -> Answer:
    """What HEAD says has no body, but the length of what GET would say."""
    return Answer(*s3.format_head_response(path, headers, answer)) if method == "HEAD" else answer
