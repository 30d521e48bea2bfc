"""Write the template of the catalogues, and put every language in order: what it has stays, what is new is empty.

``python scripts/write_texts.py`` (``make texts``) writes ``fullprime.pot`` in ``src/fullprime/messages/locale``. Its
texts are those of the pages, of their scripts, of the short words that the server sends them, and of the messages of
the program. Then it merges the template into each ``.po``: translations stay, new texts are empty, those that are gone
are marked as obsolete. ``python scripts/write_texts.py de Deutsch`` begins a language, ``--check`` only says whether
everything is up to date (exit code 1 if not).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polib

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.message_texts import texts_of_module
from scripts.script_texts import forgotten_in, texts_of_script

from fullprime.accounts.service import SCOPES
from fullprime.engine.cube.action import CubeAction
from fullprime.learn.lessons import course
from fullprime.learn.puzzles.theme import THEMES
from fullprime.learn.trainers.registry import TRAINERS
from fullprime.library.service import question_words
from fullprime.messages import LOCALE, NOTE, CatalogueError, read_catalogue
from fullprime.play.clocks import PRESETS
from fullprime.play.options.games import GAME_WORDS, RULE_WORDS
from fullprime.play.options.houses import CONSEQUENCES
from fullprime.play.options.opponents import opponents
from fullprime.play.options.options import PRESET_WORDS, rule_choices, variants
from fullprime.play.options.strengths import analysis_levels
from fullprime.reviews.decision import Verdict
from fullprime.web.markup import texts_of_page
from fullprime.web.pages import MANIFEST, STATIC, page_text

TEMPLATE = LOCALE / "fullprime.pot"
SOURCE = Path(__file__).resolve().parents[1] / "src" / "fullprime"
HEAD = (
    "The texts of Fullprime, in the order in which they stand in it. Written by `make texts`.\n"
    "{1}, {2}, {name} stand for what the comment says, {n} for a number, <a>...</a> for a link or another mark.\n"
    "docs/how-to/translate.md tells how a language is added."
)
USUAL_PLURALS = "nplurals=2; plural=(n != 1);"
_WIDE = 100


@dataclass
class Entry:
    """A text, the files where it stands, and what its places stand for."""

    key: str
    """The text, its form for several where it has forms; with its note."""
    one: str | None = None
    files: list[str] = field(default_factory=list)
    values: tuple[str, ...] = ()

    def to_po(self) -> polib.POEntry:
        """The entry of a template."""
        text, _, note = self.key.partition(NOTE)
        places = [f"{{{number}}}: {value}" for number, value in enumerate(self.values, 1)]
        comment = "; ".join(place if len(place) <= 60 else place[:59] + "…" for place in places)
        entry = polib.POEntry(
            msgid=text if self.one is None else self.one.partition(NOTE)[0],
            msgctxt=note or None,
            occurrences=[(file, "") for file in self.files],
            comment=comment,
        )
        if self.one is not None:
            entry.msgid_plural = text
            entry.msgstr_plural = {0: "", 1: ""}
        return entry


def labels() -> dict[str, list[str]]:
    """Short texts that the server sends, which scripts give to ``t`` and the server to ``label``."""
    return {
        "games": [*variants().values(), *GAME_WORDS.values()],
        "opponents": [
            *(opponent.about for opponent in opponents()),
            *(f"{opponent.bot} // how strong a bot plays" for opponent in opponents() if opponent.face),
        ],
        "levels": [level.about for level in analysis_levels()],
        "rules": [
            *(plain(name).capitalize() for name in rule_choices()),
            *(plain(value) for values in rule_choices().values() for value in values or ()),
            *PRESET_WORDS,
            *PRESET_WORDS.values(),
            *RULE_WORDS.values(),
            *(words for values in CONSEQUENCES.values() for words in values.values()),
        ],
        "clocks": [preset.about for preset in PRESETS.values()],
        "cube": [
            *(action.value for action in CubeAction),
            *(action.value.replace("double", "redouble") for action in CubeAction if "Crawford" not in action.value),
            "no double: the opponent owns the cube",
            "no double: the cube is at its limit",
        ],
        "answers": ["take", "drop", "beaver", "double", "redouble", "roll", "no play", "no double", "no redouble"],
        "rights": list(SCOPES.values()),
        "course": [
            *(part.title for part in course().parts),
            *(text for lesson in course() for text in (lesson.title, lesson.about)),
        ],
        "puzzles": list(THEMES),
        "trainers": [text for trainer in TRAINERS.values() for text in (trainer.title, trainer.about)],
        "library": [word for words in question_words().values() for word in words],
        "verdicts": [verdict.value for verdict in Verdict],
    }


def plain(name: str) -> str:
    """A name of a rule or of its value as the pages show it."""
    return name.replace("_", " ").replace("+", ", then ")


def _all_texts() -> Iterator[Entry]:
    for path in sorted(STATIC.rglob("*.html")):
        name = path.relative_to(STATIC).as_posix()
        yield from (Entry(key, files=[name]) for key in texts_of_page(page_text(name)))
    manifest = json.loads((STATIC / MANIFEST).read_text(encoding="utf-8"))
    for words in (manifest["name"], manifest["description"], *(shortcut["name"] for shortcut in manifest["shortcuts"])):
        yield Entry(words, files=[MANIFEST])
    for path in sorted(STATIC.rglob("*.js")):
        name = path.relative_to(STATIC).as_posix()
        for text in texts_of_script(path.read_text(encoding="utf-8")):
            yield Entry(text.key, text.one, [name], text.values)
    for name, texts in labels().items():
        yield from (Entry(key, files=[f"labels/{name}"]) for key in texts)
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        for message in texts_of_module(path.read_text(encoding="utf-8"), name):
            yield Entry(message.key, message.one, [name])


def entries() -> list[Entry]:
    """Every text, each once, in order; raises ValueError where one stands with forms by number and without."""
    by_key: dict[str, Entry] = {}
    for entry in _all_texts():
        first = by_key.setdefault(entry.key, entry)
        first.files += [file for file in entry.files if file not in first.files]
        if (first.one is None) != (entry.one is None):
            raise ValueError(f"{entry.key!r} has forms by number in one of {first.files} and {entry.files} alone")
    return list(by_key.values())


def template() -> polib.POFile:
    """The template of all catalogues."""
    file = polib.POFile(wrapwidth=_WIDE)
    file.header = HEAD
    file.metadata = {
        "Project-Id-Version": "Fullprime",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    file.extend(entry.to_po() for entry in entries())
    return file


def new_catalogue(language: str, name: str) -> polib.POFile:
    """A catalogue without any translation."""
    file = polib.POFile(wrapwidth=_WIDE)
    file.metadata = {
        "Project-Id-Version": "Fullprime",
        "Language": language,
        "X-Language-Name": name,
        "X-Direction": "ltr",
        "Plural-Forms": USUAL_PLURALS,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    return file


def merged(catalogue: polib.POFile, wanted: polib.POFile) -> polib.POFile:
    """A catalogue with the texts of the template, in their order; translations of texts that are gone are obsolete."""
    file = polib.POFile(wrapwidth=_WIDE)
    file.header, file.metadata = HEAD, catalogue.metadata
    forms = int(catalogue.metadata.get("Plural-Forms", USUAL_PLURALS).partition("nplurals=")[2].partition(";")[0])
    have = {(entry.msgctxt, entry.msgid): entry for entry in catalogue}
    for entry in wanted:
        old = have.pop((entry.msgctxt, entry.msgid), None)
        renewed = polib.POEntry(
            msgid=entry.msgid, msgctxt=entry.msgctxt, occurrences=entry.occurrences, comment=entry.comment
        )
        if entry.msgid_plural:
            renewed.msgid_plural = entry.msgid_plural
            renewed.msgstr_plural = dict.fromkeys(range(forms), "")
        if old is not None:
            renewed.msgstr, renewed.tcomment, renewed.flags = old.msgstr, old.tcomment, old.flags
            renewed.msgstr_plural = {**renewed.msgstr_plural, **old.msgstr_plural} if entry.msgid_plural else {}
        file.append(renewed)
    for old in have.values():
        if old.msgstr or any(old.msgstr_plural.values()):
            old.obsolete, old.occurrences, old.comment = True, [], ""
            file.append(old)
    return file


def main() -> int:
    """Write the files, or check them."""
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    check, wrong = "--check" in sys.argv[1:], 0
    for line in forgotten_in(STATIC):
        print(f"not through the catalogue: {line}")
        wrong = 1
    texts = template()
    files = {TEMPLATE: str(texts)}
    for path in sorted(LOCALE.glob("*.po")):
        files[path] = str(merged(polib.pofile(str(path), encoding="utf-8"), texts))
    if wanted and (path := LOCALE / f"{wanted[0]}.po") not in files:
        files[path] = str(merged(new_catalogue(wanted[0], wanted[-1]), texts))
    for path, text in files.items():
        written = text if text.endswith("\n") else f"{text}\n"
        if path.is_file() and path.read_text(encoding="utf-8") == written:
            continue
        if check:
            print(f"{path.name} is not up to date: run make texts")
            wrong = 1
        else:
            path.write_text(written, encoding="utf-8")
    for path in sorted(LOCALE.glob("*.po")):
        try:
            read_catalogue(path)
        except CatalogueError as error:
            print(error)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
