"""What clients read before they sign in: all of it from the configured address, none from who asks."""

from forge.wire.http import Response
from forge.wire.sign_in import SCOPES_OF_WORK
from functions.oauth import clients, jwks, replies
from functions.oauth.visits import Visit

AUTHORIZE_PATH, TOKEN_PATH = "/oauth/authorize", "/oauth/token"
REGISTER_PATH, REVOKE_PATH = "/oauth/register", "/oauth/revoke"


def resource(visit: Visit) -> Response:
    """RFC 9728. Clients ask for every scope that is named here: so it is reading and work."""
    return replies.public(
        {
            "resource": visit.ground.resource,
            "authorization_servers": [visit.ground.issuer],
            "scopes_supported": list(SCOPES_OF_WORK),
            "bearer_methods_supported": ["header"],
            "resource_name": "Forge",
            "resource_documentation": f"{visit.at}/docs",
        }
    )


def server(visit: Visit) -> Response:
    """RFC 8414."""
    return replies.public(
        {
            "issuer": visit.ground.issuer,
            "authorization_endpoint": f"{visit.at}{AUTHORIZE_PATH}",
            "token_endpoint": f"{visit.at}{TOKEN_PATH}",
            "registration_endpoint": f"{visit.at}{REGISTER_PATH}",
            "revocation_endpoint": f"{visit.at}{REVOKE_PATH}",
            "scopes_supported": list(SCOPES_OF_WORK),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": [clients.CODE, clients.REFRESH, clients.CREDENTIALS],
            "token_endpoint_auth_methods_supported": list(clients.METHODS),
            "token_endpoint_auth_signing_alg_values_supported": jwks.ALGORITHMS,
            "revocation_endpoint_auth_methods_supported": list(clients.METHODS),
            "revocation_endpoint_auth_signing_alg_values_supported": jwks.ALGORITHMS,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            # Who can fetch no document does not say that it does: clients then register themselves.
            "client_id_metadata_document_supported": visit.has_way_out,
            "service_documentation": f"{visit.at}/docs",
        }
    )


def preflight(visit: Visit) -> Response:
    """Pages of others may ask what programs ask: nothing here goes by cookies."""
    return Response(204, "", replies.FOR_PAGES)
