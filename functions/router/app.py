"""Lambda entry point of the router."""

from forge.wire.aws_lambda import router_handler

handler = router_handler()
