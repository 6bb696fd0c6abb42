"""Lambda entry point of the issues namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.issues.tools import assigning, claiming, moving, reading, watching, writing

handler = lambda_handler(
    assigning.namespace,
    claiming.namespace,
    moving.namespace,
    reading.namespace,
    watching.namespace,
    writing.namespace,
)
