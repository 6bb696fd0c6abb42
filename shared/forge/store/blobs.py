"""S3: text and files that are too large for the table."""

from collections.abc import Callable
from functools import cached_property
from typing import IO, TYPE_CHECKING, NamedTuple

from forge.errors import NotFound
from forge.store.answers import Refused
from forge.store.botocore_calls import in_our_words
from forge.store.failures import patiently

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import CopySourceTypeDef


class Stored(NamedTuple):
    """What the bucket knows of an object."""

    size: int
    content_type: str


class Sending(NamedTuple):
    """Where an object can be sent to, and the headers that have to come with it."""

    url: str
    headers: dict[str, str]


class Blobs:
    def __init__(
        self,
        bucket: str,
        connect: Callable[[], "S3Client"],
        connect_patiently: Callable[[], "S3Client"] | None = None,
    ) -> None:
        """The second way is for what takes long to send; without one, the first has to do."""
        self.bucket = bucket
        self._connect = connect
        self._connect_patiently = connect_patiently or connect

    @cached_property
    def client(self) -> "S3Client":
        return self._connect()

    def put_text(self, name: str, text: str) -> str:
        """Store a text under a name that nothing else uses; writing it twice is harmless."""
        self.put(name, text.encode(), content_type="text/plain; charset=utf-8")
        return name

    def put(self, name: str, content: bytes, *, content_type: str) -> None:
        """Store bytes under a name."""
        patiently(
            in_our_words(
                lambda: self.client.put_object(
                    Bucket=self.bucket, Key=name, Body=content, ContentType=content_type
                )
            )
        )

    def put_file(self, name: str, file: IO[bytes], *, content_type: str) -> None:
        """The same of a file, from its beginning, without having all of it in memory."""
        client = self._connect_patiently()

        @in_our_words
        def send() -> None:
            file.seek(0)
            client.put_object(Bucket=self.bucket, Key=name, Body=file, ContentType=content_type)

        patiently(send)

    def get_text(self, name: str) -> str:
        return self._read(name, {}, missing="This text is not kept any more.").decode()

    def get_bytes(self, name: str, *, most: int) -> bytes:
        """The beginning of an object, and no more than that is fetched."""
        beginning = {"Range": f"bytes=0-{most - 1}"}
        return self._read(name, beginning, missing="This file is not kept any more.")

    def find(self, name: str) -> Stored | None:
        """What is stored under a name, if anything is."""

        @in_our_words
        def look() -> Stored:
            found = self.client.head_object(Bucket=self.bucket, Key=name)
            return Stored(found["ContentLength"], found.get("ContentType", ""))

        try:
            return patiently(look)
        except Refused as refusal:
            if refusal.status != 404:
                raise
            return None

    def delete(self, name: str) -> None:
        """Whether or not it is there."""
        patiently(in_our_words(lambda: self.client.delete_object(Bucket=self.bucket, Key=name)))

    def list_names(self, beginning: str) -> list[str]:
        """Of the objects whose names begin so, the first thousand."""
        found = patiently(
            in_our_words(lambda: self.client.list_objects_v2(Bucket=self.bucket, Prefix=beginning))
        )
        return [one["Key"] for one in found.get("Contents", ())]

    def copy(self, name: str, to: str) -> bool:
        """Have the same bytes under another name, too; whether there were any."""

        @in_our_words
        def make() -> None:
            source: CopySourceTypeDef = {"Bucket": self.bucket, "Key": name}
            self.client.copy_object(Bucket=self.bucket, Key=to, CopySource=source)

        try:
            patiently(make)
        except Refused as refusal:
            if refusal.status != 404:
                raise
            return False
        return True

    def bring_back(self, name: str) -> bool:
        """Have what was deleted again, of its last version that the bucket has kept; whether it is there."""
        if self.find(name) is not None:
            return True

        @in_our_words
        def revive() -> bool:
            kept = self.client.list_object_versions(Bucket=self.bucket, Prefix=name).get("Versions", [])
            last = next((one["VersionId"] for one in kept if one["Key"] == name), None)
            if last is None:
                return False
            source: CopySourceTypeDef = {"Bucket": self.bucket, "Key": name, "VersionId": last}
            self.client.copy_object(Bucket=self.bucket, Key=name, CopySource=source)
            return True

        return patiently(revive)

    def url_to_put(self, name: str, *, content_type: str, size: int, seconds: int) -> Sending:
        """A URL that takes a body of this type and length, and no other: both are part of its signature."""
        wanted = {"Bucket": self.bucket, "Key": name, "ContentType": content_type, "ContentLength": size}
        url = self.client.generate_presigned_url("put_object", Params=wanted, ExpiresIn=seconds)
        return Sending(url, {"Content-Type": content_type, "Content-Length": str(size)})

    def url_to_get(self, name: str, *, content_type: str, disposition: str, seconds: int) -> str:
        """A URL that gives the object with these headers, whatever it was stored with."""
        wanted = {
            "Bucket": self.bucket,
            "Key": name,
            "ResponseContentType": content_type,
            "ResponseContentDisposition": disposition,
        }
        return self.client.generate_presigned_url("get_object", Params=wanted, ExpiresIn=seconds)

    def _read(self, name: str, part: dict[str, str], *, missing: str) -> bytes:
        @in_our_words
        def fetch() -> bytes:
            return self.client.get_object(Bucket=self.bucket, Key=name, **part)["Body"].read()  # type: ignore[arg-type]  # one known name

        try:
            return patiently(fetch)
        except Refused as refusal:
            if refusal.code != "NoSuchKey":
                raise
            raise NotFound(missing) from None
