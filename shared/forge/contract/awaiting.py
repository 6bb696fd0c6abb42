"""What an answer says of an end that its caller can come back for."""

from datetime import datetime

from forge.contract.models import Model


class Waits(Model):
    """What is waited for, since when, and how long at most: the same for a call that is repeated."""

    id: str
    since: datetime
    until: datetime
