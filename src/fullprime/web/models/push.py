"""The requests about push messages and their answers. A browser's subscription has the fields that browsers give it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fullprime.accounts.push_delivery import LONGEST
from fullprime.web.models.common import Strict

Endpoint = Annotated[
    str, Field(min_length=1, max_length=LONGEST, description="the https address that its push service has made for it")
]


class PushKeys(Strict):
    """The keys of a subscription, in base64url."""

    p256dh: Annotated[str, Field(min_length=1, max_length=100, description="the browser's public key")]
    auth: Annotated[str, Field(min_length=1, max_length=40, description="the secret that it shares with the server")]


class PushBrowser(BaseModel):
    """A subscription as a browser's `toJSON` gives it; what browsers add to it is left aside."""

    model_config = ConfigDict(extra="ignore", strict=True)

    endpoint: Endpoint
    keys: PushKeys = Field(description="by which only the browser reads what is sent")


class Subscribe(Strict):
    """A browser that is to be told."""

    browser: PushBrowser = Field(description="its subscription")
    game: Annotated[str, Field(min_length=1, max_length=40)] | None = Field(
        None, description="the id of the game at whose seat it sits; null for all that concerns the account"
    )


class Unsubscribe(Strict):
    """A browser that is to be told nothing more."""

    browser: PushBrowser = Field(description="its subscription")


class Renew(Strict):
    """A browser that has got another address."""

    before: PushBrowser = Field(description="its subscription until now")
    browser: PushBrowser = Field(description="its subscription from now on")


class PushKey(BaseModel):
    """The server's key."""

    key: str | None = Field(description="the `applicationServerKey` of subscriptions, in base64url; null for none")


class PushState(BaseModel):
    """The state of a browser."""

    on: bool = Field(description="whether it is told")
