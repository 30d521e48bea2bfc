"""The texts in the scripts of the pages: those that go through the catalogue, and those that were forgotten.

A script is read token by token, so that a literal is known with what stands around it: the function whose argument it
is, the attribute that it becomes, the comparison in which it stands. Nothing of JavaScript is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$#][\w$]*")
_NUMBER = re.compile(r"\d[\w.]*")
_STRING = re.compile(r"""(["'])((?:\\.|(?!\1)[^\\\n])*)\1""", re.DOTALL)
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_PUNCTUATION = re.compile(r"===|!==|=>|\?\?=|\?\?|\?\.|&&|\|\||\.\.\.|[-+*/%&|^<>=!]=|\*\*|\+\+|--|.")
_BEFORE_REGEX = {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "await", "yield"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


@dataclass(slots=True)
class Token:
    """A piece of a script. ``inside`` are the tokens of a bracket, or of each expression of a template."""

    kind: str
    """``name``, ``number``, ``string``, ``template``, ``regex``, ``punctuation`` or a bracket that opens."""
    value: str
    """As it is written; of a string or a template what it says, with ``{1}``, ``{2}``, ... for expressions."""
    at: int
    inside: list[list[Token]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    """The expressions of a template, as they are written."""


class ScriptError(ValueError):
    """A script that cannot be read."""


def cooked(raw: str) -> str:
    """What a literal says: its escapes are resolved."""

    def one(match: re.Match[str]) -> str:
        sign = match[1]
        if sign[0] in "ux" and len(sign) > 1:
            return chr(int(sign[1:].strip("{}"), 16))
        return _ESCAPES.get(sign, sign)

    return re.sub(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", one, raw, flags=re.DOTALL)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def tokens(self, until: str | None = None) -> list[Token]:
        """The tokens up to a closing sign, which is passed."""
        tokens: list[Token] = []
        while True:
            space = _SPACE.match(self.text, self.at)
            if space:
                self.at = space.end()
            if self.at >= len(self.text):
                if until is not None:
                    raise ScriptError(f"there is no {until!r}")
                return tokens
            sign = self.text[self.at]
            if sign == until:
                self.at += 1
                return tokens
            tokens.append(self._token(sign, tokens[-1] if tokens else None))

    def _token(self, sign: str, last: Token | None) -> Token:
        at = self.at
        if sign in _CLOSING:
            self.at += 1
            return Token(sign, sign, at, [self.tokens(_CLOSING[sign])])
        if sign == "`":
            return self._template()
        if sign in "\"'":
            match = _STRING.match(self.text, at)
            if match is None:
                raise ScriptError(f"a string without an end at {self.text[at : at + 40]!r}")
            self.at = match.end()
            return Token("string", cooked(match[2]), at)
        if sign == "/" and _may_be_regex(last):
            match = _REGEX.match(self.text, at)
            if match is not None:
                self.at = match.end()
                return Token("regex", match[0], at)
        for kind, pattern in (("name", _NAME), ("number", _NUMBER), ("punctuation", _PUNCTUATION)):
            match = pattern.match(self.text, at)
            if match is not None:
                self.at = match.end()
                return Token(kind, match[0], at)
        raise ScriptError(f"unreadable at {self.text[at : at + 40]!r}")

    def _template(self) -> Token:
        template = Token("template", "", self.at)
        self.at += 1
        raw = ""
        while self.text[self.at] != "`":
            if self.text.startswith("${", self.at):
                self.at += 2
                begin = self.at
                template.inside.append(self.tokens("}"))
                template.sources.append(self.text[begin : self.at - 1])
                template.value += cooked(raw) + f"{{{len(template.inside)}}}"
                raw = ""
                continue
            long = 2 if self.text[self.at] == "\\" else 1
            raw += self.text[self.at : self.at + long]
            self.at += long
        self.at += 1
        template.value += cooked(raw)
        return template


def _may_be_regex(last: Token | None) -> bool:
    if last is None:
        return True
    if last.kind == "name":
        return last.value in _BEFORE_REGEX
    return last.kind == "punctuation" and last.value not in ("++", "--")


# -- what is around a literal ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Place:
    """A string or a template, and what stands around it."""

    token: Token
    called: str
    """The function whose argument it is, at whatever depth of arrays and conditions; else empty."""
    argument: int
    keys: tuple[str, ...]
    """The keys of the objects in which it stands, the innermost last."""
    tag: bool
    """True if ``t`` stands right before the template."""
    before: str
    after: str
    target: str
    """The name to which it is assigned, as ``textContent``; else empty."""


@lru_cache(maxsize=256)
def places(text: str) -> tuple[Place, ...]:
    """Every string and template of a script, in order."""
    return tuple(_walk(_Reader(text).tokens(), "", 0, ()))


def _walk(
    tokens: list[Token], called: str, argument: int, keys: tuple[str, ...], *, counts: bool = True
) -> Iterator[Place]:
    """The literals of these tokens; within plain brackets commas do not count: all belongs to one argument."""
    index, key, target = argument, keys, ""
    for at, token in enumerate(tokens):
        last = tokens[at - 1] if at else None
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.value == "," and token.kind == "punctuation":
            index, key, target = index + counts, keys, ""
        elif token.value == ";" and token.kind == "punctuation":
            target = ""
        elif token.value in ("=", "+=") and last is not None:
            target = last.value if last.kind == "name" else "[]"
        elif token.value == ":" and last is not None and last.kind in ("name", "string") and _is_key(tokens, at):
            key = (*keys, last.value)
        elif token.kind in _CLOSING:
            inner = token.inside[0]
            if token.kind == "[" and last is not None and _is_value(last):
                continue  # the name of a field
            if token.kind == "[" and [follower.value for follower in tokens[at + 1 : at + 3]] == [".", "includes"]:
                continue  # a comparison with several
            if token.kind == "(":
                name = last.value if last is not None and last.kind == "name" else ""
                whose = tokens[at - 3].value if name and at >= 3 and tokens[at - 2].value == "." else ""
                if name in ("if", "while", "for", "switch", "return", "of", "in", "case", "await"):
                    name = ""
                if name:
                    yield from _walk(inner, f"{whose}.{name}" if whose else name, 0, ())
                else:
                    yield from _walk(inner, called, index, key, counts=False)
            else:
                yield from _walk(inner, called, index, key, counts=False)
        elif token.kind in ("string", "template"):
            tag = token.kind == "template" and last is not None and last.kind == "name" and last.value == "t"
            yield Place(token, called, index, key, tag, _sign(last), _sign(following), target)
            for part in token.inside:
                yield from _walk(part, "", 0, ()) if tag else _walk(part, called, index, key, counts=False)


def _is_key(tokens: list[Token], at: int) -> bool:
    """True for ``name:`` of an object; false for the second half of ``a ? b : c``."""
    return at == 1 or tokens[at - 2].value in (",", "{") or tokens[at - 2].kind == "..."


def _is_value(token: Token) -> bool:
    """True if a bracket after it names a field of it."""
    return token.kind in ("(", "[") or (token.kind == "name" and token.value not in _BEFORE_REGEX)


def _sign(token: Token | None) -> str:
    return "" if token is None else token.value if token.kind in ("punctuation", "name", *_CLOSING) else token.kind


# -- texts of the catalogue --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Text:
    """A text of the catalogue. ``one`` is the English for one thing where it has forms by number."""

    key: str
    one: str | None = None
    values: tuple[str, ...] = ()
    """What stands for ``{1}``, ``{2}``, ...: the expressions of the script."""


def texts_of_script(text: str) -> list[Text]:
    """The texts of a script that go through the catalogue, in order."""
    texts: list[Text] = []
    one: Token | None = None
    for place in places(text):
        token = place.token
        if place.tag:
            texts.append(Text(token.value, values=tuple(" ".join(source.split()) for source in token.sources)))
        elif place.called == "t" and place.argument == 0 and token.kind == "string":
            texts.append(Text(token.value))
        elif place.called == "plural" and token.kind == "string" and place.argument == 1:
            one = token
        elif place.called == "plural" and token.kind == "string" and place.argument == 2:
            assert one is not None
            texts.append(Text(token.value, one.value))
    return texts


# -- what was forgotten ---------------------------------------------------------------------------------------------
SHOWN = {
    "title",
    "aria-label",
    "placeholder",
    "alt",
    "label",
    "aria-description",
    "aria-roledescription",
    "aria-valuetext",
}
"""Attributes that people read or hear."""
_SINKS = {
    "textContent", "innerText", "title", "placeholder", "alt", "ariaLabel", "ariaDescription", "label",
}  # fmt: skip
_GROWING = {"append", "prepend", "replaceChildren", "replaceWith", "before", "after"}
_TECHNICAL_CALLS = {
    "byId", "querySelector", "querySelectorAll", "closest", "matches", "getAttribute", "hasAttribute",
    "removeAttribute", "toggleAttribute", "addEventListener", "removeEventListener", "matchMedia", "Event",
    "CustomEvent", "URL", "URLSearchParams", "import", "fetch", "getItem", "setItem", "removeItem",
    "createElement", "createElementNS", "split", "startsWith", "endsWith", "includes", "indexOf", "setProperty",
    "getPropertyValue", "replace", "replaceAll", "match", "test", "getElementById", "insertAdjacentHTML",
    "register", "request", "require", "get", "has", "make", "getContext", "_section", "toLocaleString",
    "toLocaleDateString", "toLocaleTimeString", "Intl.NumberFormat",
}  # fmt: skip
"""Functions whose texts are for the machine."""
_TECHNICAL_KEYS = {
    "class", "id", "type", "href", "src", "role", "for", "name", "d", "transform", "style", "method", "rel", "target",
    "autocomplete", "inputmode", "accept", "headers", "kind", "viewBox", "points", "fill", "stroke", "Content-Type",
    "Authorization", "aria-controls", "aria-labelledby", "aria-describedby", "text-anchor", "download", "event", "look",
}  # fmt: skip
_TECHNICAL_TARGETS = {
    "className",
    "Authorization",
    "id",
    "href",
    "type",
    "src",
    "value",
    "name",
    "cookie",
    "hash",
    "download",
}
_TECHNICAL_FIRST = {"el", "act"}
"""Functions whose first argument is for the machine."""
_COMPARED = {"===", "!==", "case", "in", "from", "import"}
_PROSE = re.compile(
    r"[^\W\d_]{2,}[,.;:!?…)”]* +[(“{\d]*[^\W\d_]{2,}|[^\W\d_]{2,},? +\d|^[A-Z][a-z]+|[}] [^\W\d_]{2,}|[^\W\d_]{2,} [{]"
)
_IDENTIFIER = re.compile(r"[a-z_]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
WORKER = "service-worker.js"
"""Runs where no page is, and shows what the server sends it."""
NOT_SHOWN = "not a text"
"""A comment with these words on the line says that its literals are for the machine."""


def forgotten(text: str) -> Iterator[tuple[int, str]]:
    """Literals that people seem to see and that do not go through the catalogue: their offsets, and what they say."""
    for place in places(text):
        if _is_forgotten(place) and NOT_SHOWN not in text[place.token.at :].partition("\n")[0]:
            yield place.token.at, place.token.value


def _is_forgotten(place: Place) -> bool:
    token, called = place.token, place.called.rpartition(".")[2]
    if place.tag or called in ("t", "plural"):
        return False
    words = re.sub(r"\{\d+\}|\bpx\b|\b(Fullprime|PR|XGID|OGID)\b", " ", token.value)
    if not _WORD.search(words):
        return False
    if place.before in _COMPARED or place.after in ("===", "!==", "in"):
        return False
    if place.after == ":" and place.before in ("", ",") and token.kind == "string":
        return False  # the key of an object
    innermost = place.keys[-1] if place.keys else ""
    sink = (
        innermost in SHOWN
        or place.target in _SINKS
        or (called == "el" and place.argument >= 2 and not place.keys)
        or (called in _GROWING and not place.keys and not _IDENTIFIER.fullmatch(token.value))
    )
    if sink:
        return True
    if called in _TECHNICAL_FIRST and place.argument == 0:
        return False
    technical = (
        called in _TECHNICAL_CALLS
        or innermost in _TECHNICAL_KEYS
        or innermost.startswith("data-")
        or place.target in _TECHNICAL_TARGETS
    )
    return not technical and bool(_PROSE.search(token.value.replace("px", "")))


def line_of(text: str, at: int) -> int:
    """The line of an offset, from 1."""
    return text.count("\n", 0, at) + 1


def forgotten_in(folder: Path) -> list[str]:
    """What was forgotten in the scripts below a folder, a line each: file, line and text."""
    lines = []
    for path in sorted(folder.rglob("*.js")):
        if path.name == WORKER:
            continue
        text = path.read_text(encoding="utf-8")
        lines += [f"{path.relative_to(folder)}:{line_of(text, at)}: {literal!r}" for at, literal in forgotten(text)]
    return lines
