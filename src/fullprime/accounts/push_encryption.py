"""Messages in the form that push services take: encrypted for one browser, and signed by this server.

RFC 8291 (encryption), RFC 8188 (its form), RFC 8292 (VAPID, the signature). The ciphers are those of ``cryptography``.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.accounts.store.pushes import PushAddress
from fullprime.common.atomic_write import atomic_create
from fullprime.rules.errors import SettingsError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

_RECORD = 4096
"""The size of a record, in bytes; a message is one record."""
LARGEST = _RECORD - 16 - 1 - 86
"""Bytes of a message: a record less its tag, the byte that ends it, and the head."""
SIGNED_FOR = 12 * 3600
"""Seconds for which a signature is good; RFC 8292 allows a day."""
_POINT, _AUTH = 65, 16


class ServerKey:
    """The key by which push services know this server; browsers subscribe to messages that it has signed."""

    def __init__(self, key: EllipticCurvePrivateKey | None = None) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self._key = ec.generate_private_key(ec.SECP256R1()) if key is None else key
        self.public = encode(_point(self._key.public_key()))
        """The public key in base64url, as pages give it to the browser."""

    @classmethod
    def load_or_create(cls, file: Path | None) -> ServerKey:
        """The key in a file, which is made at first use, readable by its owner alone; with None the key is not stored.

        Raises SettingsError for a file that cannot be read or holds no such key.
        """
        if file is None:
            return cls()
        try:
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                atomic_create(file, cls().pem, private=True)
            return cls.from_pem(file.read_bytes())
        except (OSError, ValueError, TypeError) as error:
            raise SettingsError(f"{file}: the server's key for push messages cannot be read: {error}") from error

    @classmethod
    def from_pem(cls, text: bytes) -> ServerKey:
        """The key in a PEM file; raises ValueError or TypeError for anything else than a private key of P-256."""
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        key = load_pem_private_key(text, password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
            raise ValueError("it is no private key of the curve P-256")
        return cls(key)

    @property
    def pem(self) -> bytes:
        """The private key as a PEM file."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def authorization(self, audience: str, contact: str | None, now: float) -> str:
        """The header by which a push service at ``audience`` (such as ``https://push.example``) knows the sender.

        ``contact`` is an address (``mailto:`` or ``https:``) at which the push service reaches the operator; ``now``
        is in seconds since 1970.
        """
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        claims = {"aud": audience, "exp": int(now) + SIGNED_FOR, **({} if contact is None else {"sub": contact})}
        signed = ".".join(encode(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"vapid t={signed}.{encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={self.public}"


def check_address(endpoint: str, p256dh: str, auth: str) -> PushAddress:
    """An address whose keys can be used; raises SettingsError."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(p256dh, _POINT))
        decode(auth, _AUTH)
    except ValueError as error:
        raise SettingsError("the keys of this subscription are none that a browser makes") from error
    return PushAddress(endpoint, p256dh, auth)


def encrypt(
    message: bytes, to: PushAddress, *, salt: bytes | None = None, key: EllipticCurvePrivateKey | None = None
) -> bytes:
    """A message that only that browser can read; raises ValueError for one that is too long.

    ``salt`` and ``key`` are made anew for each message; tests name them.
    """
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    if len(message) > LARGEST:
        raise ValueError(f"a message has at most {LARGEST} bytes, not {len(message)}")

    def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
        return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)

    theirs, auth = decode(to.p256dh, _POINT), decode(to.auth, _AUTH)
    salt = os.urandom(16) if salt is None else salt
    key = ec.generate_private_key(ec.SECP256R1()) if key is None else key
    ours = _point(key.public_key())
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    secret = derive(auth, shared, b"WebPush: info\0" + theirs + ours, 32)
    cipher = AESGCM(derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16))
    nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", _RECORD, len(ours)) + ours
    return head + cipher.encrypt(nonce, message + b"\x02", None)


def encode(data: bytes) -> str:
    """Bytes in base64url, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str, length: int) -> bytes:
    """Bytes out of base64url; raises ValueError unless there are ``length``."""
    try:
        data = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("this is no base64url") from error
    if len(data) != length:
        raise ValueError(f"{len(data)} bytes where {length} are wanted")
    return data


def _point(key: EllipticCurvePublicKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
