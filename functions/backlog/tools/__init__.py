"""The backlog's tools: choosing what to do, and doing it under a lock."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from forge.context import Context
from forge.contract.models import Model
from forge.contract.tools import Namespace
from forge.errors import DomainError, Forbidden, ModeForbidden, NotFound, PreconditionFailed
from forge.github.failures import GitHubFailure
from forge.work.backlog.refusals import BacklogRefusal, of_github, refusal, retell
from functions.backlog.audits import audit

namespace = Namespace(
    "backlog",
    "Take the most urgent issue of a repository, lock it, and see it through.",
    bare_names=True,
    retells=retell,
    audits=audit,
)

RequestT = TypeVar("RequestT", bound=Model)
ResultT = TypeVar("ResultT", bound=Model)
Handle = Callable[[RequestT, Context], ResultT]


def in_its_words(handle: Handle[RequestT, ResultT]) -> Handle[RequestT, ResultT]:
    """What other rooms refuse is said as this contract says it; only who may call at all is not."""

    @wraps(handle)
    def answer(request: RequestT, ctx: Context) -> ResultT:
        try:
            return handle(request, ctx)
        except (ModeForbidden, BacklogRefusal):
            raise
        except GitHubFailure as failure:
            raise of_github(failure) from failure
        except Forbidden as error:
            raise refusal("NO_WRITE_ACCESS", _words(error)) from None
        except (NotFound, PreconditionFailed) as error:
            raise refusal(error.code.value.upper(), _words(error), details=error.details) from None

    return answer


def _words(error: DomainError) -> str:
    return f"{error.message} {error.hint}" if error.hint else error.message
