"""The catalogues: a file a language, and the language that a reader is shown."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from fullprime.rules.errors import FullprimeError
from fullprime.web.texts.sentences import Sentences

FOLDER = Path(__file__).parent
MORE = "FULLPRIME_TEXTS"
"""The environment variable that names a folder with further catalogues, as translators and tests have them."""
ENGLISH = "en"
COOKIE = "fullprime_language"
NOTE = " // "
"""Stands in a key before a note, which tells two texts apart that are one word in English."""
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")

Forms = Mapping[str, str]
"""A text by number: the forms for ``one``, ``few``, ``other``, ... as Unicode (CLDR) names the categories."""


class CatalogueError(FullprimeError):
    """A catalogue that cannot be read, or that says what no catalogue says."""


def shown(key: str) -> str:
    """The English text of a key: without its note."""
    return key.partition(NOTE)[0]


@dataclass(frozen=True)
class Catalogue:
    """The texts of a language by their keys; what is missing is shown in English."""

    language: str
    """As BCP 47 has it: ``de``, ``pt-BR``."""
    name: str
    """As its speakers call it."""
    direction: Literal["ltr", "rtl"]
    pages: Mapping[str, str | Forms] = field(repr=False)
    """The texts that stand in the pages' HTML alone, which the server puts there."""
    scripts: Mapping[str, str | Forms] = field(repr=False)
    """Those that the scripts of the pages need."""
    templates: Mapping[str, str | Forms] = field(default_factory=dict, repr=False)
    """Those of the sentences that the program makes, with ``{1}`` for what it puts in."""

    @property
    def texts(self) -> Mapping[str, str | Forms]:
        """All of them."""
        return {**self.templates, **self.pages, **self.scripts}

    @cached_property
    def sentences(self) -> Sentences:
        """What puts the program's sentences into this language; English leaves them alone."""
        return Sentences({key: text for key, text in self.templates.items() if isinstance(text, str)})

    @cached_property
    def everything(self) -> Sentences:
        """The same with the texts of the pages, for a page that the program itself makes: a report."""
        return Sentences({key: text for key, text in self.texts.items() if isinstance(text, str) and NOTE not in key})

    def text(self, key: str) -> str:
        """The text of a key; in English where there is none."""
        found = self.scripts.get(key) or self.pages.get(key)
        return found if isinstance(found, str) and found else shown(key)

    @cached_property
    def script(self) -> bytes:
        """Those that scripts need, as a script of the pages."""
        known = {key: text for key, text in self.scripts.items() if text}
        texts = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
        return f'import {{ learn }} from "/static/parts/texts.js";\nlearn({texts});\n'.encode()

    @cached_property
    def mark(self) -> str:
        """Changes when the texts do: part of the script's address, so that a browser may keep it for good."""
        return hashlib.sha256(self.script).hexdigest()[:12]


def read_catalogue(path: Path) -> Catalogue:
    """A file as a catalogue; raises CatalogueError with the file and what is wrong."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CatalogueError(f"{path}: {error}") from error
    if not _TAG.fullmatch(path.stem):
        raise CatalogueError(f"{path}: the name is not that of a language, as `de.toml` is")
    about = data.get("language", {})
    name, direction = about.get("name"), about.get("direction", "ltr")
    if not isinstance(name, str) or not name or direction not in ("ltr", "rtl"):
        raise CatalogueError(f"{path}: [language] has a `name`, and a `direction` that is `ltr` or `rtl`")
    pages, scripts, templates = (_texts(path, data.get(part, {})) for part in ("pages", "scripts", "sentences"))
    return Catalogue(path.stem, name, direction, pages, scripts, templates)


def _texts(path: Path, texts: Mapping[str, object]) -> Mapping[str, str | Forms]:
    """A table of the file; raises CatalogueError for what is no text."""
    checked: dict[str, str | Forms] = {}
    for key, text in texts.items():
        if isinstance(text, str) or (isinstance(text, dict) and all(isinstance(x, str) for x in text.values())):
            checked[key] = text
        else:
            raise CatalogueError(f"{path}: {key!r} is a text, or a table of texts by number")
    return checked


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """Every language by its tag, English first; English itself is shown without looking anything up."""
    folders = [FOLDER, *([Path(os.environ[MORE])] if os.environ.get(MORE) else [])]
    paths = [path for folder in folders for path in sorted(folder.glob("*.toml")) if path.stem != ENGLISH]
    found = {each.language: each for each in map(read_catalogue, paths)}
    return {ENGLISH: Catalogue(ENGLISH, "English", "ltr", {}, {}), **found}


def catalogue(language: str) -> Catalogue:
    """The catalogue of a language that there is."""
    return catalogues()[language]


def say_in(language: str | None, text: str, names: Iterable[str] = ()) -> str:
    """A sentence of the program in a language, in English where there is no such language (any more).

    The names of people in it stay as they are.
    """
    found = catalogues().get(language or ENGLISH)
    return text if found is None or found.language == ENGLISH else found.sentences.keeping(names)(text)


def language_for(cookie: str | None, accepted: str) -> str:
    """The language for a reader: that of the setting, else the first of the browser's that there is, else English."""
    there = {tag.lower(): tag for tag in catalogues()}
    if cookie is not None and cookie.lower() in there:
        return there[cookie.lower()]
    for wanted in _by_quality(accepted):
        parts = wanted.split("-")
        for length in range(len(parts), 0, -1):
            tag = "-".join(parts[:length])
            if tag in there:
                return there[tag]
    return ENGLISH


def _by_quality(accepted: str) -> Iterable[str]:
    """The languages of an ``Accept-Language``, the dearest first; what is unreadable is left out."""
    found: list[tuple[float, str]] = []
    for each in accepted[:1000].split(","):
        tag, _, more = each.strip().partition(";")
        quality = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", more)
        if _TAG.fullmatch(tag.strip()) and (quality is not None or not more):
            found.append((float(quality[1]) if quality is not None else 1.0, tag.strip().lower()))
    return [tag for quality, tag in sorted(found, key=lambda each: -each[0]) if quality > 0]
