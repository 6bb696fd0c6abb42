"""Lambda entry point of the authorization server."""

from forge.wire.aws_lambda import sign_in_handler

handler = sign_in_handler()
