"""Write the catalogues of the pages' texts: English whole, and every other language with what it has so far.

``python scripts/write_texts.py`` (``make texts``) writes ``src/fullprime/web/texts/en.toml`` from the pages, their
scripts and the short texts that the server gives them, and puts the other languages in the same order: their
translations stay, what is new is empty, what is gone goes. ``python scripts/write_texts.py de Deutsch`` begins a
language, ``--check`` only says whether everything is up to date (exit code 1 if not).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.script_texts import forgotten_in, texts_of_script
from scripts.sentences import spoken

from fullprime.accounts.service import SCOPES
from fullprime.engine.cube.action import CubeAction
from fullprime.learn.lessons import course
from fullprime.learn.puzzles.theme import THEMES
from fullprime.learn.trainers.registry import TRAINERS
from fullprime.library.service import question_words
from fullprime.play.clocks import PRESETS
from fullprime.play.options.games import GAME_WORDS, RULE_WORDS
from fullprime.play.options.houses import CONSEQUENCES
from fullprime.play.options.opponents import opponents
from fullprime.play.options.options import PRESET_WORDS, rule_choices, variants
from fullprime.play.options.strengths import analysis_levels
from fullprime.play.server.chat import PHRASES
from fullprime.reviews.decision import Verdict
from fullprime.web.pages import MANIFEST, STATIC, page_text
from fullprime.web.texts.catalogue import ENGLISH, FOLDER, Catalogue, read_catalogue, shown
from fullprime.web.texts.markup import texts_of_page

HEAD = """\
# Every text of the pages, in the order in which it stands there. Written by `make texts`.
# A key is the English text; what follows ` // ` is a note for you and is not shown. {1}, {2} stand for what the comment
# says, {n} for a number, <a>...</a> for a link or another mark. docs/how-to/translate.md tells how a language is added.
"""


@dataclass
class Entry:
    """A text, where it was found first, and what stands for ``{1}``, ``{2}``."""

    key: str
    file: str
    one: str | None = None
    values: tuple[str, ...] = ()
    in_scripts: bool = False
    """True if a script needs it; else it stands in the HTML of pages alone."""
    spoken: bool = False
    """True for a sentence that the program makes."""

    @property
    def table(self) -> str:
        """The table of the file in which it stands."""
        return "sentences" if self.spoken else "scripts" if self.in_scripts else "pages"


def labels() -> dict[str, list[str]]:
    """Short texts that the server sends and that the scripts give to ``t``."""
    return {
        "the games": [*variants().values(), *GAME_WORDS.values()],
        "opponents": [each["about"] for each in opponents()],
        "levels": [each["about"] for each in analysis_levels()],
        "rules": [
            *(plain(name).capitalize() for name in rule_choices()),
            *(plain(value) for values in rule_choices().values() for value in values or ()),
            *PRESET_WORDS,
            *PRESET_WORDS.values(),
            *RULE_WORDS.values(),
            *(words for values in CONSEQUENCES.values() for words in values.values()),
        ],
        "clocks": [each.about for each in PRESETS.values()],
        "cube": [each.value for each in CubeAction],
        "answers": ["take", "drop", "beaver", "double", "redouble", "roll", "no play", "no double", "no redouble"],
        "phrases of the chat": list(PHRASES.values()),
        "rights of tokens": list(SCOPES.values()),
        "the course": [
            *(part.title for part in course().parts),
            *(text for lesson in course() for text in (lesson.title, lesson.about)),
        ],
        "puzzles": list(THEMES),
        "trainers": [text for each in TRAINERS.values() for text in (each.title, each.about)],
        "the library": [word for words in question_words().values() for word in words],
        "verdicts": [each.value for each in Verdict],
    }


def plain(name: str) -> str:
    """A name of a rule or of its value as the pages show it."""
    return name.replace("_", " ").replace("+", ", then ")


def _found() -> Iterator[Entry]:
    for path in sorted(STATIC.rglob("*.html")):
        name = path.relative_to(STATIC).as_posix()
        yield from (Entry(key, name) for key in texts_of_page(page_text(name)))
    told = json.loads((STATIC / MANIFEST).read_text(encoding="utf-8"))
    for words in (told["name"], told["description"], *(each["name"] for each in told["shortcuts"])):
        yield Entry(words, MANIFEST)
    for path in sorted(STATIC.rglob("*.js")):
        name = path.relative_to(STATIC).as_posix()
        for text in texts_of_script(path.read_text(encoding="utf-8")):
            yield Entry(text.key, name, text.one, text.values, in_scripts=True)
    for name, texts in labels().items():
        yield from (Entry(key, f"the server: {name}", in_scripts=True) for key in texts)


def entries() -> list[Entry]:
    """Every text of the pages, each once, in order; raises ValueError where one stands with forms and without."""
    known: dict[str, Entry] = {}
    for entry in _found():
        first = known.setdefault(entry.key, entry)
        first.in_scripts |= entry.in_scripts
        if (first.one is None) != (entry.one is None):
            raise ValueError(f"{entry.key!r} has forms by number in one of {first.file} and {entry.file} alone")
    made = [Entry(key, file, None, values, spoken=True) for file, key, values in spoken()]
    return [*sorted(known.values(), key=lambda entry: entry.in_scripts), *made]


# -- writing -----------------------------------------------------------------------------------------------------------
def quoted(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _forms(forms: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{name} = {quoted(text)}" for name, text in forms.items()) + " }"


def _comment(entry: Entry) -> str:
    told = [f"{{{number}}}: {source}" for number, source in enumerate(entry.values, 1)]
    text = "; ".join(each if len(each) <= 50 else each[:49] + "…" for each in told)
    return f"# {text[:110]}\n" if told else ""


def written(all_entries: list[Entry], known: Catalogue) -> str:
    """The file of a language with the translations that there are."""
    english = known.language == ENGLISH
    parts = [HEAD, f"[language]\nname = {quoted(known.name)}\ndirection = {quoted(known.direction)}\n"]
    for (table, file), group in groupby(all_entries, lambda entry: (entry.table, entry.file)):
        if f"\n[{table}]\n" not in parts:
            parts.append(f"\n[{table}]\n")
        parts.append(f"\n# -- {file}\n")
        for entry in group:
            have = known.texts.get(entry.key, "")
            value: str
            if english:
                value = quoted(shown(entry.key))
                if entry.one is not None:
                    value = _forms({"one": shown(entry.one), "other": shown(entry.key)})
            elif isinstance(have, str):
                value = quoted(have if entry.one is None else "")
            else:
                value = _forms(have) if entry.one is not None else quoted("")
            parts.append(f"{_comment(entry)}{quoted(entry.key)} = {value}\n")
    return "".join(parts)


def main() -> int:
    """Write the files, or check them."""
    wanted = [each for each in sys.argv[1:] if not each.startswith("-")]
    check, wrong = "--check" in sys.argv[1:], 0
    for line in forgotten_in(STATIC):
        print(f"not through the catalogue: {line}")
        wrong = 1
    all_entries = entries()
    files = {path.stem: read_catalogue(path) for path in sorted(FOLDER.glob("*.toml"))}
    files.setdefault(ENGLISH, Catalogue(ENGLISH, "English", "ltr", {}, {}))
    if wanted and wanted[0] not in files:
        files[wanted[0]] = Catalogue(wanted[0], wanted[1] if len(wanted) > 1 else wanted[0], "ltr", {}, {})
    for language, known in files.items():
        path, new = FOLDER / f"{language}.toml", written(all_entries, known)
        if path.is_file() and path.read_text(encoding="utf-8") == new:
            continue
        if check:
            print(f"{path.name} is not up to date: run make texts")
            wrong = 1
        else:
            path.write_text(new, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
