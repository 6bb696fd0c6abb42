"""The files of a pipeline, and what is known of its repository."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable
from functions.pipeline.models.starting import Workspace
from functions.pipeline.models.stepping import Content, FileName


class PutArtifact(Model):
    workspace: Workspace
    name: Annotated[FileName, Field(description="E.g. design.md, impl-1.md.")]
    content: Annotated[Content | None, Field(description="All of it, up to 1 MB.")] = None
    size: Annotated[
        int | None, Field(ge=1, le=10**9, description="Of a larger one, in bytes: gives a URL to send it to.")
    ] = None
    upload_id: Annotated[str | None, Field(max_length=40, description="Says that it was sent there.")] = None


class Put(Model):
    """`version` where it is stored; `uploadUrl` where its bytes are still to be sent."""

    name: str
    size: int
    version: Omittable[int] = None
    upload_url: Omittable[str] = None
    upload_id: Omittable[str] = None
    headers: Omittable[dict[str, str]] = None


class GetArtifact(Model):
    workspace: Workspace
    name: Annotated[FileName, Field(description="E.g. design.md.")]
    version: Annotated[int | None, Field(ge=1, le=999_999, description="An older one.")] = None


class ArtifactView(Model):
    name: str
    content: str
    version: int


class ListArtifacts(Model):
    workspace: Workspace


class ArtifactRow(Model):
    name: str
    size: int
    version: int
    updated_at: datetime


class Artifacts(Model):
    data: list[ArtifactRow]


Short = Annotated[str, Field(max_length=300)]


class GivenLanguage(Model, alias_generator=None):
    name: Annotated[str, Field(max_length=60, description="E.g. Python.")]
    percentage: Annotated[int, Field(ge=0, le=100, description="Of the files.")]


class GivenProfile(Model, alias_generator=None, extra="ignore"):
    languages: Annotated[list[GivenLanguage], Field(max_length=10, description="The most used first.")] = []
    test_framework: Annotated[Short | None, Field(description="E.g. pytest.")] = None
    ci_system: Annotated[Short | None, Field(description="E.g. GitHub Actions.")] = None
    linter_configs: Annotated[list[Short], Field(max_length=20, description="E.g. ruff.")] = []
    branch_naming: Annotated[Short | None, Field(description="E.g. feature/{name}.")] = None
    build_command: Annotated[Short | None, Field(description="How it is built.")] = None
    test_command: Annotated[Short | None, Field(description="How it is tested.")] = None
    monorepo: Annotated[bool | None, Field(description="Several projects in one.")] = None


class GivenFile(Model):
    path: Annotated[str, Field(min_length=1, max_length=500, description="In the repository.")]
    content: Annotated[
        str | None, Field(max_length=200_000, description="Of Makefile, package.json and such.")
    ] = None


class SetProfile(Model):
    workspace: Workspace
    profile: Annotated[
        GivenProfile | None, Field(description="What is known; it counts before what files show.")
    ] = None
    files: Annotated[
        list[GivenFile], Field(max_length=20_000, description="Files to find the rest from.")
    ] = []
    instructions: Annotated[
        str | None, Field(max_length=64_000, description="Workflow rules: YAML front matter with `rules`.")
    ] = None


class ProfileSet(Model):
    workspace: str
    languages: list[str]
    test_command: str | None
    build_command: str | None
    rules: int
