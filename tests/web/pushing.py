"""A push service of the tests' own: HTTPS, with browsers that read what is sent to them as RFC 8188 and 8291 say."""

from __future__ import annotations

import datetime as dt
import ipaddress
import json
import secrets
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fullprime.accounts.push_encryption import decode, encode

SECONDS = 60


class PushedBrowser:
    """A browser that has subscribed: its keys, and the messages that have come for it."""

    def __init__(self, service: PushServer) -> None:
        self.service, self.status = service, 201
        self.path = f"/push/{secrets.token_urlsafe(16)}"
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.auth = secrets.token_bytes(16)
        self.inbox: Queue[tuple[dict[str, str], dict[str, Any]]] = Queue()
        self.tries = 0
        self.changed = threading.Condition()

    @property
    def json(self) -> dict[str, Any]:
        """As ``PushSubscription.toJSON`` gives it."""
        return {
            "endpoint": f"{self.service.url}{self.path}",
            "expirationTime": None,
            "keys": {"p256dh": encode(self.point), "auth": encode(self.auth)},
        }

    def next(self) -> tuple[dict[str, str], dict[str, Any]]:
        """The headers and the text of the next message."""
        return self.inbox.get(timeout=SECONDS)

    def tried(self) -> None:
        with self.changed:
            self.tries += 1
            self.changed.notify_all()

    def wait(self, tries: int) -> None:
        """Until so many messages have come, or have been refused."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.tries >= tries, SECONDS)

    def read(self, body: bytes) -> dict[str, Any]:
        salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
        theirs = body[21 : 21 + length]
        assert len(body) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))

        def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
            return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

        secret = derived(self.auth, shared, b"WebPush: info\x00" + self.point + theirs, 32)
        cipher = AESGCM(derived(salt, secret, b"Content-Encoding: aes128gcm\x00", 16))
        plain = cipher.decrypt(derived(salt, secret, b"Content-Encoding: nonce\x00", 12), body[21 + length :], None)
        text, _, padding = plain.rpartition(b"\x02")
        assert padding.strip(b"\0") == b""
        return dict(json.loads(text))


class PushServer(ThreadingHTTPServer):
    """The service; ``file`` is the certificate by which it is known."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.file = _certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.host = f"127.0.0.1:{self.server_port}"
        self.url = f"https://{self.host}"
        self.browsers: dict[str, PushedBrowser] = {}
        self.key: str | None = None
        """The key of the server whose messages are taken; None for any."""

    def browser(self) -> PushedBrowser:
        browser = PushedBrowser(self)
        self.browsers[browser.path] = browser
        return browser

    def handle_error(self, request: object, client_address: object) -> None:
        """Those who hang up are no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: PushServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        browser = self.server.browsers.get(self.path)
        status = 404 if browser is None else browser.status
        if browser is not None:
            browser.tried()
            if status == 201:
                _check_signature(self.headers["Authorization"], self.server)
                browser.inbox.put((dict(self.headers), browser.read(body)))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Nothing is printed."""


def _check_signature(header: str, service: PushServer) -> None:
    token, key = (part.strip().split("=", 1)[1] for part in header.removeprefix("vapid ").split(","))
    assert service.key in (None, key)
    signed, _, signature = token.rpartition(".")
    claims = json.loads(decode_any(signed.split(".")[1]))
    assert claims["aud"] == service.url
    ahead = claims["exp"] - dt.datetime.now(dt.UTC).timestamp()
    assert 0 < ahead <= 24 * 3600
    raw = decode(signature, 64)
    number = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key, 65))
    try:
        public.verify(number, signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise AssertionError("the signature is wrong") from None


def decode_any(text: str) -> bytes:
    import base64

    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "push service of the tests")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "push-service.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    return file


@contextmanager
def push_server(folder: Path) -> Iterator[PushServer]:
    """The service, running."""
    with PushServer(folder) as service:
        thread = threading.Thread(target=service.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield service
        service.shutdown()
        thread.join()
