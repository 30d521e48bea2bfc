"""The catalogues of gettext: one ``.po`` file a language, read as it is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any, Literal

from fullprime.rules.errors import FullprimeError, MissingExtra
from fullprime.rules.message import NOTE

LOCALE = Path(__file__).parent / "locale"
MORE = "FULLPRIME_TEXTS"
"""The environment variable that names a folder with further catalogues, as translators and tests have them."""
ENGLISH = "en"
TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
"""A language as BCP 47 has it: ``de``, ``pt-BR``."""
_PLURALS = re.compile(r"\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=([-+*/%<>=!&|?:()\sn\d]+);?\s*")
_DIRECTIONS: Mapping[str, Literal["ltr", "rtl"]] = {"ltr": "ltr", "rtl": "rtl"}
_PLACE = re.compile(r"\{(\w+)\}")
_MARK = re.compile(r"</?[a-z]+\d*>")


class CatalogueError(FullprimeError):
    """A catalogue that cannot be read, or whose translations do not fit their texts."""


def english_text(key: str) -> str:
    """The English text of a key: without its note."""
    return key.partition(NOTE)[0]


@dataclass(frozen=True)
class Catalogue:
    """The translations of a language; a text that is missing is shown in English.

    The key of a text is its English form; behind :data:`NOTE` stands its ``msgctxt``, where it has one. The key of a
    text by number is the form for several.
    """

    language: str
    """Its tag."""
    name: str
    """Its name, as its speakers call it."""
    direction: Literal["ltr", "rtl"]
    plural: str
    """The rule for the form of a number, an expression of C in ``n``, as gettext has it."""
    texts: Mapping[str, str | tuple[str, ...]] = field(repr=False)
    """The translations by their keys: one text, or the forms of a text by number."""
    of_scripts: frozenset[str] = field(default=frozenset(), repr=False)
    """The keys of the texts that the scripts of the pages need."""
    form: Callable[[int], int] = field(default=lambda n: int(n != 1), repr=False)
    """The number of the form for a number."""

    def text(self, key: str) -> str:
        """The text of a key; in English where there is no translation."""
        text = self.texts.get(key)
        return text if isinstance(text, str) else english_text(key)


def read_catalogue(path: Path) -> Catalogue:
    """A ``.po`` file as a catalogue; raises CatalogueError with the file and what is wrong."""
    try:
        import polib  # noqa: PLC0415 - a copy without a server has no other language
    except ImportError as error:
        raise MissingExtra("another language than English", "web", "polib") from error
    if not TAG.fullmatch(path.stem):
        raise CatalogueError(f"{path}: the name is not that of a language, as `de.po` is")
    try:
        file = polib.pofile(str(path), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise CatalogueError(f"{path}: {error}") from error
    name, written = file.metadata.get("X-Language-Name"), file.metadata.get("X-Direction", "ltr")
    direction = _DIRECTIONS.get(written)
    if not name or direction is None:
        raise CatalogueError(f"{path}: the head has X-Language-Name, and X-Direction that is ltr or rtl")
    rule = _PLURALS.fullmatch(file.metadata.get("Plural-Forms", ""))
    if rule is None:
        raise CatalogueError(f"{path}: the head has Plural-Forms, such as nplurals=2; plural=(n != 1);")
    texts: dict[str, str | tuple[str, ...]] = {}
    of_scripts: set[str] = set()
    for entry in file:
        key, text = key_of(entry), translation_of(entry)
        if entry.obsolete or text is None:
            continue
        fault = find_fault(entry, int(rule[1]))
        if fault is not None:
            raise CatalogueError(f"{path}, line {entry.linenum}: {fault}")
        texts[key] = text
        if is_of_scripts(entry):
            of_scripts.add(key)
    form = c2py(rule[2].strip())
    return Catalogue(path.stem, name, direction, rule[2].strip(), texts, frozenset(of_scripts), form)


def key_of(entry: Any) -> str:
    """The key of an entry of a ``.po`` file."""
    text = entry.msgid_plural or entry.msgid
    return f"{text}{NOTE}{entry.msgctxt}" if entry.msgctxt else str(text)


def translation_of(entry: Any) -> str | tuple[str, ...] | None:
    """The translation of an entry; None for one that is missing, incomplete or marked as uncertain."""
    if entry.fuzzy:
        return None
    if entry.msgid_plural:
        forms = tuple(entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural))
        return forms if forms and all(forms) else None
    return entry.msgstr or None


def find_fault(entry: Any, forms: int) -> str | None:
    """What is wrong with a translated entry: a place or a mark that its text has not, or lacks, or a missing form."""
    translations = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    if entry.msgid_plural and len(translations) != forms:
        return f"{entry.msgid!r} has {forms} forms in this language, not {len(translations)}"
    originals = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]
    for parts, pieces_of in (("places", _places), ("marks", _marks)):
        allowed = set().union(*map(pieces_of, originals))
        needed = set(allowed).intersection(*map(pieces_of, originals)) - ({"n"} if entry.msgid_plural else set())
        for translation in translations:
            if not needed <= pieces_of(translation) <= allowed:
                return f"{originals[-1]!r} and {translation!r} have other {parts}"
    return None


def _places(text: str) -> set[str]:
    """The places of a text; with any brace that belongs to none, because it could stand for anything."""
    return {*_PLACE.findall(text), *re.findall(r"[{}]", _PLACE.sub("", text))}


def _marks(text: str) -> set[str]:
    return set(_MARK.findall(text))


def is_of_scripts(entry: Any) -> bool:
    """True for a text that the scripts of the pages need: of a script, or a label that the server sends to one."""
    files = [file for file, _ in entry.occurrences]
    return not files or any(file.endswith(".js") or file.startswith("labels/") for file in files)


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """Every language by its tag, English first; English itself is shown without looking anything up."""
    folders = [LOCALE, *([Path(os.environ[MORE])] if os.environ.get(MORE) else [])]
    paths = [path for folder in folders for path in sorted(folder.glob("*.po"))]
    others = {other.language: other for other in map(read_catalogue, paths)}
    return {ENGLISH: Catalogue(ENGLISH, "English", "ltr", "n != 1", {}), **others}


def catalogue(language: str) -> Catalogue:
    """The catalogue of a language; English for one that there is not (any more)."""
    available = catalogues()
    return available.get(language) or available[ENGLISH]
