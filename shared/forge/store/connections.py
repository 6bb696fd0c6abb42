"""Clients to AWS, made on first use, impatient, and without retries of their own.

Tables have a client of ours; everything else is botocore's. Where nobody waits for a first byte, it is boto3:
see `forge.store.operators`.

The store repeats what may be repeated; a library that did so too would hide lost answers and triple the
wait.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from forge.store.dynamodb import DynamoDB, Send
from forge.store.http_pool import CONNECT_SECONDS, MAX_KEPT, READ_SECONDS
from forge.store.signed_requests import signed_requests

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_stepfunctions import SFNClient

_INVOKE_SECONDS = 27.0
_UPLOAD_SECONDS = 120.0


@dataclass(slots=True)
class Connections:
    """Where AWS is. Without an endpoint, it is the real one."""

    region: str
    endpoint: str | None = None
    credentials: tuple[str, str] | None = field(default=None, repr=False)
    send: Send | None = field(default=None, repr=False)
    """How requests to tables are sent, where it is not for the environment to decide."""
    make: Callable[..., Any] | None = field(default=None, repr=False)
    """Makes clients in the place of botocore, from the name of a service and options."""
    _clients: dict[str, Any] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def tables(self) -> DynamoDB:
        """What tools do with tables."""
        with self._lock:
            if "tables" not in self._clients:
                self._clients["tables"] = DynamoDB(self.send or self._find_way())
            client: DynamoDB = self._clients["tables"]
            return client

    def dynamodb(self) -> "DynamoDBClient":
        """What else can be done with tables: making and describing them."""
        client: DynamoDBClient = self.connect("dynamodb")
        return client

    def s3(self) -> "S3Client":
        """By the bucket's own name in its own region, which presigned URLs show; an emulator has no such."""
        client: S3Client = self.connect("s3", **self._bucket_options())
        return client

    def patient_s3(self) -> "S3Client":
        """The same for a file of any size: S3 answers when it has all of it."""
        client: S3Client = self.connect(
            "s3", kept_as="patient s3", read_timeout=_UPLOAD_SECONDS, **self._bucket_options()
        )
        return client

    def sqs(self) -> "SQSClient":
        client: SQSClient = self.connect("sqs")
        return client

    def stepfunctions(self) -> "SFNClient":
        client: SFNClient = self.connect("stepfunctions")
        return client

    def secrets(self) -> Any:
        return self.connect("secretsmanager")

    def functions(self) -> "LambdaClient":
        """For the router, which waits a little longer than a tool may take."""
        client: LambdaClient = self.connect("lambda", read_timeout=_INVOKE_SECONDS)
        return client

    def keep(self, name: str, client: Any) -> None:
        """Have this one used for a service."""
        self._clients[name] = client

    def connect(self, service: str, *, kept_as: str = "", **options: Any) -> Any:
        """One client per service, shared by all threads: making one is slow, using it is safe."""
        name = kept_as or service
        with self._lock:
            if name not in self._clients:
                self._clients[name] = (self.make or self._make)(service, **options)
            return self._clients[name]

    def _bucket_options(self) -> dict[str, Any]:
        by_name = {"addressing_style": "virtual", "us_east_1_regional_endpoint": "regional"}
        place = {"addressing_style": "path"} if self.endpoint else by_name
        return {"signature_version": "s3v4", "s3": place}

    def _find_way(self) -> Send:
        direct = signed_requests(self.region, self.endpoint, self.credentials, os.environ)
        if direct is not None:
            return direct
        from forge.store.botocore_calls import BotocoreRequests

        return BotocoreRequests(self.dynamodb)

    def _make(self, service: str, **options: Any) -> Any:
        # botocore alone: boto3 adds a tenth of a second to a cold start, and nothing that tools use.
        from botocore.config import Config
        from botocore.session import Session

        session = Session()
        # It would look through the folders of four hundred services to find that this one exists.
        loader = session.get_component("data_loader")
        loader.list_available_services = lambda type_name: [service]
        access_key, secret_key = self.credentials or (None, None)
        return session.create_client(
            service,
            region_name=self.region,
            endpoint_url=self.endpoint,
            aws_access_key_id=access_key,
            aws_secret_access_key=secret_key,
            config=Config(
                **{
                    "connect_timeout": CONNECT_SECONDS,
                    "read_timeout": READ_SECONDS,
                    "retries": {"total_max_attempts": 1},
                    "max_pool_connections": MAX_KEPT,
                    "parameter_validation": False,
                    # Without one, botocore composes its own for each request: a tenth of its time.
                    "user_agent": "forge",
                    # Loopback is never behind a proxy, whatever the environment says.
                    **({"proxies": {}} if "//127.0.0.1" in (self.endpoint or "") else {}),
                    **options,
                }
            ),
        )
