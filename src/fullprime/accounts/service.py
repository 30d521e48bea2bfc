"""People with accounts: names, passwords (Argon2), browsers that are signed in, and personal tokens of programs."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from fullprime.accounts.names import is_ours
from fullprime.accounts.store.accounts import Account, PeopleStore, SavedToken
from fullprime.common.refusals import Refusal
from fullprime.db.database import open_database
from fullprime.db.errors import StoreRefused
from fullprime.messages import Message
from fullprime.play.table.naming import checked_name
from fullprime.rules.errors import SettingsError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SCOPES = {
    "challenge:read": "be told of challenges and of games that begin and end",
    "challenge:write": "make, accept, decline and withdraw challenges",
    "games:read": "read what only you may see: your private games and your profile, and the talk at your tables",
    "board:play": "play for a person",
    "bot:play": "play with an account that is marked as a bot",
}
"""The uses of a token. Without the one that something needs, a token reads what everybody reads, and does nothing."""

TOKEN = "fpt_"  # noqa: S105 - what every token begins with, no secret
"""Every token begins so; keys of seats are told from tokens by it."""

SESSION = "fps_"
"""Every secret of a browser that is signed in begins so."""

LASTING = timedelta(days=60)
"""The time for which a browser stays signed in."""

MOST_TOKENS = 20
_AT_ONCE = 4
"""Passwords that are hashed at the same time: each takes 64 MiB."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")
_SHORTEST, _LONGEST = 8, 200


class People:
    """The accounts of one database. Methods may be called from any thread; those with a password take a while."""

    def __init__(self, url: str | None = None, hasher: PasswordHasher | None = None) -> None:
        self.engine = open_database(url, pooled=True)
        """The database, which other services of these people share."""
        self.store = PeopleStore(self.engine)
        self._hasher = hasher
        self._hashing = threading.BoundedSemaphore(_AT_ONCE)
        self._nobody: str | None = None

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    # -- accounts -----------------------------------------------------------------------------------------
    def sign_up(self, name: str, password: str) -> Account:
        """A new account; raises SettingsError for a name or password that cannot be, Refusal ("taken")."""
        name = checked_account_name(name)
        checked_password(password, name)
        if self.store.named(name) is not None:
            raise Refusal(Message("the name {name} is taken", name=name), "taken")
        if (other := self.store.alike(name)) is not None:
            raise Refusal(
                Message("the name {name} looks like {name2}, which is taken", name=name, name2=other.name), "taken"
            )
        try:
            return self.store.create(name, self._hash(password))
        except StoreRefused as error:
            raise Refusal(error.args[0], "taken") from error

    def sign_in(self, name: str, password: str) -> Account:
        """The account of that name and password; raises Refusal ("unknown").

        It takes as long for a name that nobody has, and says the same.
        """
        from argon2.exceptions import InvalidHashError, VerificationError

        if self._nobody is None:
            self._nobody = self._hash(secrets.token_hex(16))
        found = self.store.password(name) if _NAME.fullmatch(name) else None
        kept = self._nobody if found is None else found[1]
        try:
            with self._hashing:
                self._passwords.verify(kept, password)
        except (VerificationError, InvalidHashError):
            found = None
        if found is None:
            raise Refusal(Message("the name or the password is wrong"), "unknown")
        if self._passwords.check_needs_rehash(kept):
            self.store.renew_password(found[0].id, self._hash(password))
        return found[0]

    def change_password(
        self, account: Account, old: str, new: str, *, session: str | None = None, revoke: bool = False
    ) -> None:
        """Another password; every browser but the one of that session is signed out. Raises as ``sign_in``.

        With ``revoke`` all tokens of the account become worthless as well.
        """
        self.sign_in(account.name, old)
        checked_password(new, account.name)
        keep = None if session is None else digest(session)
        self.store.set_password(account.id, self._hash(new), keep_session=keep, revoke=revoke)

    def make_bot(self, account: Account) -> None:
        """Mark the account as that of a program; raises Refusal once a game has been played with it."""
        try:
            self.store.make_bot(account.id)
        except StoreRefused as error:
            raise Refusal(error.args[0], "forbidden") from error

    def named(self, name: str) -> Account:
        """The account of that name; raises Refusal ("missing")."""
        found = self.store.named(name) if _NAME.fullmatch(name) else None
        if found is None:
            raise Refusal(Message("there is no account {name}", name=repr(name[:40])), "missing")
        return found

    def free_for_guests(self, name: str) -> None:
        """Refuse a guest a name that looks like that of an account, or like one of ours: raises Refusal."""
        name = checked_name(name)
        if is_ours(name, guest=True):
            raise Refusal(
                Message("{name} is no name for a guest: it would be taken for somebody else", name=name), "forbidden"
            )
        account = self.store.alike(name)
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

    def of_session(self, secret: str) -> Account | None:
        """The account that is signed in with that cookie."""
        return self.store.of_session(digest(secret))

    def sign_out(self, account: Account, secret: str | None = None, *, revoke: bool = False) -> None:
        """Sign out the browser with that cookie, or every browser of the account.

        With ``revoke`` all tokens of the account become worthless as well.
        """
        ended = None if secret is None else digest(secret)
        self.store.close_sessions(account.id, digest=ended, revoke=revoke)

    # -- programs -----------------------------------------------------------------------------------------
    def new_token(self, account: Account, name: str, scopes: Iterable[str]) -> tuple[SavedToken, str]:
        """A token, told only now; raises SettingsError, Refusal ("busy") when there are too many."""
        wanted = set(scopes)
        for scope in sorted(wanted - SCOPES.keys()):
            raise SettingsError(
                Message("there is no scope {scope}; there are {names}", scope=repr(scope[:40]), names=", ".join(SCOPES))
            )
        if not wanted:
            raise SettingsError(Message("a token without a scope is good for nothing"))
        if "bot:play" in wanted and not account.bot:
            raise SettingsError(Message("bot:play is for accounts that are marked as bots"))
        name = " ".join(name.split())
        if not name or len(name) > 60 or not name.isprintable():
            raise SettingsError(Message("a token is given a name of 1 to 60 letters, to know it again"))
        secret = TOKEN + secrets.token_urlsafe(32)
        ordered = [scope for scope in SCOPES if scope in wanted]
        made = self.store.add_token(account.id, name, digest(secret), ordered, MOST_TOKENS)
        if made is None:
            raise Refusal(Message("an account has at most {count} tokens: revoke one first", count=MOST_TOKENS), "busy")
        return made, secret

    def revoke_token(self, account: Account, token: int) -> None:
        """Make a token worthless; raises Refusal ("missing") when the account has none of that number."""
        if not self.store.revoke_token(account.id, token):
            raise Refusal(Message("you have no token {token}", token=token), "missing")

    def of_token(self, secret: str) -> tuple[Account, tuple[str, ...]] | None:
        """The account of a token, and its scopes."""
        return self.store.of_token(digest(secret))

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


def checked_account_name(name: str) -> str:
    """A name that an account may have; raises SettingsError. Bots of ours keep theirs."""
    if not _NAME.fullmatch(name):
        raise SettingsError(
            Message(
                "the name of an account has 2 to 20 letters (a to z), digits, - and _, and begins "
                "with a letter or a digit"
            )
        )
    if is_ours(name):
        raise SettingsError(Message("{name} is no name for an account: it would be taken for somebody else", name=name))
    return name


def checked_password(password: str, name: str) -> str:
    """A password that may be used; raises SettingsError."""
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
    """The form of a random secret that is stored: nobody can find the secret to it."""
    return hashlib.sha256(secret.encode()).hexdigest()


__all__ = [
    "LASTING",
    "SCOPES",
    "SESSION",
    "TOKEN",
    "Account",
    "People",
    "SavedToken",
    "checked_account_name",
    "checked_password",
    "digest",
]
