"""The course: parts with their lessons, read from a folder of TOML files, each with its figures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.learn.lessons.figures import FiguresError, LessonFigures, read_figures
from fullprime.learn.lessons.lesson import Lesson, LessonError
from fullprime.learn.lessons.reading import read_lesson
from fullprime.rules.errors import FullprimeError

PARTS = {
    "first": "First steps",
    "strategy": "Strategy",
    "tours": "The other games",
    "sources": "The sources, examined",
}
"""The parts of our own course, in order: the folder of each and its title."""


class UnknownLesson(FullprimeError, LookupError):
    """There is no lesson of that name; the message names similar ones."""

    code = "missing"


@dataclass(frozen=True, slots=True)
class CoursePart:
    """A part of the course."""

    name: str
    """Its name: that of its folder."""
    title: str
    """Its title."""
    lessons: tuple[Lesson, ...]
    """Its lessons, in order."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course."""

    __json__: ClassVar[JsonFields] = json_names("parts")

    parts: tuple[CoursePart, ...]
    """Its parts, in order."""
    stored: tuple[tuple[str, LessonFigures], ...]
    """The figures of every lesson that has some, by its name."""

    def __iter__(self) -> Iterator[Lesson]:
        """Every lesson, in order."""
        for part in self.parts:
            yield from part.lessons

    def get_lesson(self, name: str) -> Lesson:
        """The lesson of that name, or of that number from 1 in the order of the course; raises UnknownLesson."""
        lessons = list(self)
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(lessons):
            return lessons[int(name) - 1]
        plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
        for lesson in lessons:
            if plain in (lesson.name, re.sub(r"[^a-z0-9]+", "-", lesson.title.casefold()).strip("-")):
                return lesson
        near = [lesson.name for lesson in lessons if plain and plain in lesson.name][:5]
        hint = f"; near it: {', '.join(near)}" if near else f"; give its name, or its number from 1 to {len(lessons)}"
        raise UnknownLesson(f"there is no lesson {name[:60]!r}{hint}")

    def get_figures(self, lesson: Lesson) -> LessonFigures:
        """The figures of a lesson; raises FiguresError where there are none, or for another text."""
        figures = next((stored for name, stored in self.stored if name == lesson.name), None)
        if figures is None:
            raise FiguresError(f"{lesson.file or lesson.name} has no figures yet: fullprime learn --compute makes them")
        if reason := figures.why_stale(lesson):
            raise FiguresError(f"{lesson.file}: stale figures ({reason}); fullprime learn --compute makes them anew")
        return figures


@cache
def course() -> Course:
    """The course of the package."""
    return read_course(resources.files("fullprime.learn.lessons") / "data")


def read_course(folder: Traversable | Path) -> Course:
    """Read a course from a folder with a folder for each part, or with lessons of a single part. Raises LessonError."""
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith((".", "_")))
    ordered = [*(name for name in PARTS if name in names), *(name for name in names if name not in PARTS)]
    parts: list[CoursePart] = []
    stored: list[tuple[str, LessonFigures]] = []
    for name in ordered:
        lessons = _lessons(folder / name, name, stored)
        if lessons:
            parts.append(CoursePart(name, PARTS.get(name, name.replace("-", " ").capitalize()), lessons))
    loose = _lessons(folder, "lessons", stored)
    if loose:
        parts.append(CoursePart("lessons", "Lessons", loose))
    if not parts:
        raise LessonError(f"{folder}: there are no lessons (files that end in .toml) here")
    files: dict[str, str] = {}
    for part in parts:
        for lesson in part.lessons:
            if lesson.name in files:
                raise LessonError(f"{lesson.file}: there is a lesson named {lesson.name} already, {files[lesson.name]}")
            files[lesson.name] = lesson.file
    return Course(tuple(parts), tuple(stored))


def _lessons(folder: Traversable | Path, part: str, stored: list[tuple[str, LessonFigures]]) -> tuple[Lesson, ...]:
    lessons = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not entry.name.endswith(".toml"):
            continue
        lesson = replace(read_lesson(_read(entry), str(entry)), part=part)
        lessons.append(lesson)
        beside = folder / figures_name(entry.name)
        if beside.is_file():
            stored.append((lesson.name, read_figures(_read(beside), str(beside))))
    return tuple(lessons)


def figures_name(file: str) -> str:
    """The name of the file with the figures of a lesson's file."""
    return file.removesuffix(".toml") + ".json"


def _read(file: Traversable | Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LessonError(f"{file}: it cannot be read ({error})") from None
