"""S3: text and files that are too large for the table."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from forge.errors import NotFound
from forge.store.answers import Refused
from forge.store.botocore_calls import in_our_words
from forge.store.failures import patiently

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class Blobs:
    def __init__(self, bucket: str, connect: Callable[[], "S3Client"]) -> None:
        self.bucket = bucket
        self._connect = connect

    @cached_property
    def client(self) -> "S3Client":
        return self._connect()

    def put_text(self, name: str, text: str) -> str:
        """Store a text under a name that nothing else uses; writing it twice is harmless."""
        body = text.encode()
        patiently(
            in_our_words(
                lambda: self.client.put_object(
                    Bucket=self.bucket, Key=name, Body=body, ContentType="text/plain; charset=utf-8"
                )
            )
        )
        return name

    def get_text(self, name: str) -> str:
        @in_our_words
        def fetch() -> bytes:
            return self.client.get_object(Bucket=self.bucket, Key=name)["Body"].read()

        try:
            return patiently(fetch).decode()
        except Refused as refusal:
            if refusal.code != "NoSuchKey":
                raise
            raise NotFound("This text is not kept any more.") from None
