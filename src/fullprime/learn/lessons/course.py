"""The course: parts with their lessons, read from a folder of TOML files, each with its figures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from fullprime.learn.lessons.figures import Figures, FiguresError, read_figures
from fullprime.learn.lessons.lesson import Lesson, LessonError
from fullprime.learn.lessons.reading import read_lesson
from fullprime.rules.errors import FullprimeError

PARTS = {
    "first": "Your first game",
    "tours": "Tours of the other games",
    "strategy": "Strategy",
    "sources": "The sources, examined",
}
"""The parts of our own course, in order: the folder of each and its title."""


class UnknownLesson(FullprimeError, LookupError):
    """A name that no lesson has; the message names those near it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the course: the ``name`` of its folder, its ``title`` and its lessons in order."""

    name: str
    title: str
    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """Parts in order, and the figures of every lesson that has some."""

    parts: tuple[Part, ...]
    stored: tuple[tuple[str, Figures], ...]

    def __iter__(self) -> Iterator[Lesson]:
        """Every lesson, in order."""
        for part in self.parts:
            yield from part.lessons

    def lesson(self, name: str) -> Lesson:
        """The lesson of that name, or of that number from 1 in the order of the course; raises UnknownLesson."""
        lessons = list(self)
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(lessons):
            return lessons[int(name) - 1]
        plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
        for each in lessons:
            if plain in (each.name, re.sub(r"[^a-z0-9]+", "-", each.title.casefold()).strip("-")):
                return each
        near = [each.name for each in lessons if plain and plain in each.name][:5]
        hint = f"; near it: {', '.join(near)}" if near else f"; give its name, or its number from 1 to {len(lessons)}"
        raise UnknownLesson(f"there is no lesson {name[:60]!r}{hint}")

    def figures(self, lesson: Lesson) -> Figures:
        """The figures of a lesson; raises FiguresError where there are none, or for another text."""
        found = next((each for name, each in self.stored if name == lesson.name), None)
        if found is None:
            raise FiguresError(f"{lesson.file or lesson.name} has no figures yet: fullprime learn --compute makes them")
        if reason := found.why_stale(lesson):
            raise FiguresError(f"{lesson.file}: stale figures ({reason}); fullprime learn --compute makes them anew")
        return found


@cache
def course() -> Course:
    """The course of the package."""
    return read_course(resources.files("fullprime.learn.lessons") / "data")


def read_course(folder: Traversable | Path) -> Course:
    """A course from a folder: a folder a part, or lessons alone, which then are one part. Raises LessonError."""
    names = sorted(each.name for each in folder.iterdir() if each.is_dir() and not each.name.startswith((".", "_")))
    ordered = [*(name for name in PARTS if name in names), *(name for name in names if name not in PARTS)]
    parts: list[Part] = []
    stored: list[tuple[str, Figures]] = []
    for name in ordered:
        lessons = _lessons(folder / name, name, stored)
        if lessons:
            parts.append(Part(name, PARTS.get(name, name.replace("-", " ").capitalize()), lessons))
    loose = _lessons(folder, "lessons", stored)
    if loose:
        parts.append(Part("lessons", "Lessons", loose))
    if not parts:
        raise LessonError(f"{folder}: there are no lessons (files that end in .toml) here")
    seen: dict[str, str] = {}
    for part in parts:
        for lesson in part.lessons:
            if lesson.name in seen:
                raise LessonError(f"{lesson.file}: there is a lesson named {lesson.name} already, {seen[lesson.name]}")
            seen[lesson.name] = lesson.file
    return Course(tuple(parts), tuple(stored))


def _lessons(folder: Traversable | Path, part: str, stored: list[tuple[str, Figures]]) -> tuple[Lesson, ...]:
    found = []
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if not each.name.endswith(".toml"):
            continue
        lesson = replace(read_lesson(_read(each), str(each)), part=part)
        found.append(lesson)
        beside = folder / figures_name(each.name)
        if beside.is_file():
            stored.append((lesson.name, read_figures(_read(beside), str(beside))))
    return tuple(found)


def figures_name(file: str) -> str:
    """The name of the file with the figures of a lesson's file."""
    return file.removesuffix(".toml") + ".json"


def _read(file: Traversable | Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LessonError(f"{file}: it cannot be read ({error})") from None
