"""Accounts: names, passwords (Argon2), browsers that are signed in, and personal tokens of programs."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Iterable
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from fullprime.accounts.store.accounts import Account, AccountStore, Token
from fullprime.common.refusals import Refusal
from fullprime.common.skeletons import skeleton
from fullprime.db.database import open_database
from fullprime.db.errors import StoreRefused
from fullprime.messages import Message
from fullprime.play.naming import check_name
from fullprime.rules.errors import SettingsError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SCOPES = {
    "challenge:read": "be told of challenges and of games that begin and end",
    "challenge:write": "make, accept, decline and withdraw challenges",
    "follow:read": "read whom you follow, and who of them is here",
    "follow:write": "follow accounts, and unfollow them",
    "games:read": "read what only you may see: your private games and your profile, and the talk at your tables",
    "board:play": "play for a person",
    "bot:play": "play with an account that is marked as a bot",
}
"""The uses of a token. A token without the use that a request needs can only read what is public."""

TOKEN = "fpt_"  # noqa: S105 - what every token begins with, no secret
"""The beginning of every token, which distinguishes tokens from the keys of seats."""

SESSION = "fps_"
"""The beginning of every secret of a browser that is signed in."""

LASTING = timedelta(days=60)
"""The time for which a browser stays signed in."""

MOST_TOKENS = 20
_AT_ONCE = 4
"""The most passwords that are hashed at the same time, because each takes 64 MiB."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")
_RESERVED = (
    "admin", "administrator", "both", "bot", "computer", "fullprime", "host", "me", "mod", "moderator", "official",
    "operator", "owner", "root", "security", "server", "staff", "support", "sysop", "system", "team", "webmaster",
    "you", "yourself",
)  # fmt: skip
_PLACEHOLDERS = ("anonymous", "friend", "guest", "opponent")
"""Names that stand for nameless players; guests may have them, accounts may not."""
_SHORTEST, _LONGEST = 8, 200
"""Letters of a password; accounts/account.html and docs/accounts.md name the first."""


class Accounts:
    """The accounts of one database. Methods may be called from any thread; those with a password take a while."""

    def __init__(self, url: str | None = None, hasher: PasswordHasher | None = None) -> None:
        self.engine = open_database(url, pooled=True)
        """The database, which the other services of accounts share."""
        self.store = AccountStore(self.engine)
        self._hasher = hasher
        self._hashing = threading.BoundedSemaphore(_AT_ONCE)
        self._decoy_hash: str | None = None

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    # -- accounts -----------------------------------------------------------------------------------------
    def sign_up(self, name: str, password: str) -> Account:
        """Create an account; raises SettingsError for a bad name or password, Refusal ("taken")."""
        name = check_account_name(name)
        check_password(password, name)
        if self.store.find_by_name(name) is not None:
            raise Refusal(Message("the name {name} is taken", name=name), "taken")
        if (other := self.store.find_alike(name)) is not None:
            raise Refusal(
                Message("the name {name} looks like {name2}, which is taken", name=name, name2=other.name), "taken"
            )
        try:
            return self.store.create(name, self._hash(password))
        except StoreRefused as error:
            raise Refusal(error.args[0], "taken") from error

    def sign_in(self, name: str, password: str) -> Account:
        """The account of that name and password; raises Refusal ("unknown").

        An unknown name takes as long, and gets the same refusal.
        """
        from argon2.exceptions import InvalidHashError, VerificationError

        if self._decoy_hash is None:
            self._decoy_hash = self._hash(secrets.token_hex(16))
        stored = self.store.find_with_password(name) if _NAME.fullmatch(name) else None
        stored_hash = self._decoy_hash if stored is None else stored[1]
        try:
            with self._hashing:
                self._passwords.verify(stored_hash, password)
        except (VerificationError, InvalidHashError):
            stored = None
        if stored is None:
            raise Refusal(Message("the name or the password is wrong"), "unknown")
        if self._passwords.check_needs_rehash(stored_hash):
            self.store.rehash_password(stored[0].id, self._hash(password))
        return stored[0]

    def change_password(
        self, account: Account, old: str, new: str, *, session: str | None = None, revoke: bool = False
    ) -> None:
        """Change the password, and sign out every browser but that of this session. Raises as ``sign_in``.

        With ``revoke`` all tokens of the account become worthless as well.
        """
        self.sign_in(account.name, old)
        check_password(new, account.name)
        keep = None if session is None else digest(session)
        self.store.set_password(account.id, self._hash(new), keep_session=keep, revoke=revoke)

    def mark_as_bot(self, account: Account) -> None:
        """Mark the account as that of a program; raises Refusal once a game has been played with it."""
        try:
            self.store.mark_as_bot(account.id)
        except StoreRefused as error:
            raise Refusal(error.args[0], "forbidden") from error

    def get_by_name(self, name: str) -> Account:
        """The account of that name; raises Refusal ("missing")."""
        account = self.store.find_by_name(name) if _NAME.fullmatch(name) else None
        if account is None:
            raise Refusal(Message("there is no account {name}", name=repr(name[:40])), "missing")
        return account

    def check_guest_name(self, name: str) -> None:
        """Raise Refusal for a guest's name that looks like that of an account, or like a reserved one."""
        name = check_name(name)
        if _is_reserved(name, guest=True):
            raise Refusal(
                Message("{name} is no name for a guest: it would be taken for somebody else", name=name), "forbidden"
            )
        account = self.store.find_alike(name)
        if account is None:
            return
        if account.name.casefold() == name.casefold():
            raise Refusal(Message("{name} has an account here: sign in, or take another name", name=name), "forbidden")
        raise Refusal(
            Message(
                "{name} looks like {name2}, who has an account here: take another name", name=name, name2=account.name
            ),
            "forbidden",
        )

    # -- browsers -----------------------------------------------------------------------------------------
    def open_session(self, account: Account) -> str:
        """Sign a browser in; gives the text that its cookie keeps."""
        secret = SESSION + secrets.token_urlsafe(32)
        self.store.open_session(account.id, digest(secret), LASTING)
        return secret

    def find_by_session(self, secret: str) -> Account | None:
        """The account that is signed in with that cookie."""
        return self.store.find_by_session(digest(secret))

    def sign_out(self, account: Account, secret: str | None = None, *, revoke: bool = False) -> None:
        """Sign out the browser with that cookie, or every browser of the account.

        With ``revoke`` all tokens of the account become worthless as well.
        """
        ended = None if secret is None else digest(secret)
        self.store.close_sessions(account.id, digest=ended, revoke=revoke)

    # -- programs -----------------------------------------------------------------------------------------
    def create_token(self, account: Account, name: str, scopes: Iterable[str]) -> tuple[Token, str]:
        """Create a token, whose secret is given only now; raises SettingsError, Refusal ("busy") for too many."""
        chosen = set(scopes)
        for scope in sorted(chosen - SCOPES.keys()):
            raise SettingsError(
                Message("there is no scope {scope}; there are {names}", scope=repr(scope[:40]), names=", ".join(SCOPES))
            )
        if not chosen:
            raise SettingsError(Message("a token without a scope is good for nothing"))
        if "bot:play" in chosen and not account.bot:
            raise SettingsError(Message("bot:play is for accounts that are marked as bots"))
        name = " ".join(name.split())
        if not name or len(name) > 60 or not name.isprintable():
            raise SettingsError(Message("a token is given a name of 1 to 60 letters, to know it again"))
        secret = TOKEN + secrets.token_urlsafe(32)
        ordered = [scope for scope in SCOPES if scope in chosen]
        token = self.store.add_token(account.id, name, digest(secret), ordered, MOST_TOKENS)
        if token is None:
            raise Refusal(Message("an account has at most {count} tokens: revoke one first", count=MOST_TOKENS), "busy")
        return token, secret

    def revoke_token(self, account: Account, token: int) -> None:
        """Revoke a token; raises Refusal ("missing") when the account has none of that number."""
        if not self.store.revoke_token(account.id, token):
            raise Refusal(Message("you have no token {token}", token=token), "missing")

    def find_by_token(self, secret: str) -> tuple[Account, tuple[str, ...]] | None:
        """The account of a token, and its scopes."""
        return self.store.find_by_token(digest(secret))

    # -- inside -------------------------------------------------------------------------------------------
    @property
    def _passwords(self) -> PasswordHasher:
        if self._hasher is None:
            from argon2 import PasswordHasher

            self._hasher = PasswordHasher()
        return self._hasher

    def _hash(self, password: str) -> str:
        with self._hashing:
            return self._passwords.hash(password)


def check_account_name(name: str) -> str:
    """Check the name of a new account; raises SettingsError. Names of our bots are reserved."""
    if not _NAME.fullmatch(name):
        raise SettingsError(
            Message(
                "the name of an account has 2 to 20 letters (a to z), digits, - and _, and begins "
                "with a letter or a digit"
            )
        )
    if _is_reserved(name):
        raise SettingsError(Message("{name} is no name for an account: it would be taken for somebody else", name=name))
    return name


def _is_reserved(name: str, *, guest: bool = False) -> bool:
    """True for a name that looks like a reserved one: of the server, of the people who run it, or of its bots."""
    shape = skeleton(name)
    return shape in _reserved_skeletons() or (not guest and shape in map(skeleton, _PLACEHOLDERS))


@cache
def _reserved_skeletons() -> frozenset[str]:
    from fullprime.engine.bots.bots import BOTS
    from fullprime.play.naming import skeletons_of_you
    from fullprime.play.options.opponents import CHARACTERS

    names = (*_RESERVED, *BOTS, *(character.name for character in CHARACTERS))
    return skeletons_of_you().union(map(skeleton, names))


def check_password(password: str, name: str) -> str:
    """Check a new password; raises SettingsError."""
    if not _SHORTEST <= len(password) <= _LONGEST:
        raise SettingsError(
            Message("a password has {shortest} to {longest} letters", shortest=_SHORTEST, longest=_LONGEST)
        )
    if name.casefold() in password.casefold() and len(password) < len(name) + _SHORTEST // 2:
        raise SettingsError(Message("the password is too much like the name"))
    if len(set(password)) < 4:
        raise SettingsError(Message("the password is too easy to guess"))
    return password


def digest(secret: str) -> str:
    """The form of a random secret that is stored, from which the secret cannot be computed."""
    return hashlib.sha256(secret.encode()).hexdigest()


__all__ = [
    "LASTING",
    "SCOPES",
    "SESSION",
    "TOKEN",
    "Account",
    "Accounts",
    "Token",
    "check_account_name",
    "check_password",
    "digest",
]
