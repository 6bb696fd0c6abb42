"""Why exceptions end in the worker: what became of them is told, stored or tried again."""

OF_THE_WORKER = {
    # An agent that fails is an outcome, which its run acts on.
    "acp.py: ConnectionError": "the outcome of the agent, with its last words",
    "acp.py: RequestError": "the outcome of the agent; a session that is lost is made anew",
    "acp.py: (RequestError, ConnectionError)": "the outcome of the agent, with its last words",
    "acp.py: TimeoutError": "the outcome of the agent",
    "jwks.py: (jwt.PyJWTError, TypeError, AttributeError, ValueError, KeyError, NotImplementedError)": (
        "a key that can't be read verifies nothing"
    ),
    "stretches.py: (Broken, HookFailed)": "the outcome of the stretch",
    "carrying_out.py: (GitFailed, HookFailed)": "the work is given back with it, or it is noted",
    "starting.py: GitFailed": "told before any work is taken",
    "starting.py: ValidationError": "told here: what the owner said is followed alone",
    "launch.py: OSError": "said on the output that the worker keeps",
    # A run that can't go on is given back with the reason, lost, closed, or kept for the next start.
    "carrying_out.py: GitFailed": "the run is given back with it, or goes on with what is here",
    "carrying_out.py: Stopping": "the run is kept, and goes on after the next start",
    "slots.py: Exception": "told with its run, which is tried again",
    "telling.py: Refused": "the run is stopped if it is lost; the rest is told with the next figures",
    "telling.py: (Unreachable, Stopping)": "told with the next figures",
    "logs.py: Refused": "the log goes on where the server says, or ends",
    # What the server or the network says is the worker's state, which status shows.
    "beats.py: Refused": "shown as the worker's problem",
    "beats.py: Unreachable": "shown as the worker's problem",
    "beats.py: Exception": "shown as the worker's problem",
    "beats.py: Stopping": "the worker ends",
    "wakes.py: httpx.HTTPError": "asked again after a pause, while the poll goes on",
    "working.py: (Unreachable, Refused, GitFailed, OSError)": "said, and shown as the worker's problem",
    "working.py: Stopping": "the worker ends",
    "client.py: httpx.HTTPError": "tried again, and told once there is no patience left",
    "client.py: ValueError": "no answer of Forge's, which is tried again",
    # Questions that are answered by failing.
    "commands.py: GitFailed": "the answer is no",
    "repositories.py: GitFailed": "a file that the branch does not have",
    "worktrees.py: GitFailed": "no worktree of that repository",
    "worktrees.py: (GitFailed, OSError)": "a worktree that is not finished has no lock",
    "tidying.py: (GitFailed, OSError)": "what git does not remove stays",
    "engagements.py: (OSError, ValueError)": "a folder that is no run's",
    "folders.py: (OSError, ValueError)": "no worker has written its state there",
    "folders.py: BlockingIOError": "another worker has it, which is told",
    "logs.py: (OSError, ValueError, TypeError)": "a place that can't be read: the server says where it is",
    "sandbox.py: (OSError, subprocess.TimeoutExpired)": "there is no sandbox on this machine",
    "sandbox.py: OSError": "what is not there is not shown to the child",
    "starting.py: Broken": "said; the last good one is followed",
    "lines.py: BadJson": "a line that is no JSON is text of the agent",
}

OF_SIGNING_IN = {
    # What a provider says that can't be used, is the reason why somebody is not let in.
    "discovery.py: BadJson": "no object, so it is refused",
    "id_tokens.py: jwt.InvalidSignatureError": "the next key is tried, and then it is refused",
    "deployed.py: NoSecret": "there is no provider, and keys sign people in",
    "deployed.py: Unavailable": "what was known last goes on, or keys do",
    "deployed.py: Misconfigured": "told on the page where people sign in",
    "handlers.py: WorkspaceUnknown": "becomes the question which one",
    "refusals.py: attempts.CameTwice": "the same refusal was written before",
    "console.py: Unauthorized": "a session that has ended is over",
    "browsers.py: DomainError": "the session before ends by itself",
    # Pages and answers, written to the journal with their outcome.
    "signing_in.py: (Unauthorized, Forbidden)": "the page says why, with its outcome in the journal",
    "routes.py: DomainError": "the answer, with its outcome in the journal",
    "sign_in.py: DomainError": "the answer, with its outcome in the journal",
    "persons.py: DomainError": "nobody is signed in any more, and so they are asked to",
    # Clients, and what they are refused in the words of their protocol.
    "authorizing.py: Untrusted": "told on a page, and nobody is sent anywhere",
    "authorizing.py: InvalidInput": "the page says what is missing, and asks again",
    "authorizing.py: DomainError": "told on a page, and kept in the audit",
    "registering.py: Unregistered": "the answer, in the words of the protocol",
    "documents.py: Unusable": "kept with the client's address: it is none for a while",
    "documents.py: ValueError": "no address, so no document's",
    "redirects.py: ValueError": "no address, so nobody is sent there",
    "families.py: NotFound": "there is none, which is the answer",
    "server.py: (BadBase64, ValueError)": "no credential, which the library refuses",
    "signatures.py: jwt.PyJWTError": "the next key is tried, and then it is refused",
    # The session of a terminal.
    "kept.py: (OSError, ValueError, KeyError, TypeError)": "a file that is damaged holds no session",
    "kept.py: (ValueError, KeyError, TypeError)": "what can't be read is no session",
    "loopback.py: ValueError": "no address, so it is not the one",
    "loopback.py: Empty": "nobody came in time, which is told",
    "server.py: ValueError": "no answer of Forge's, which is told",
    "server.py: httpx.HTTPError": "the server could not be told, which is said",
    "sessions.py: ValueError": "no address, so nobody is signed in there",
}
