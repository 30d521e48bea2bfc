"""The texts of a page in HTML, which are found without special marks and translated.

A text is the content of an element with the markup in it, such as ``Press <kbd>Tab</kbd> to go on``, so that a
translation may change the order of words and marks. Attributes that people read or hear are texts of their own.
``translate="no"`` excludes an element, ``data-note`` distinguishes two texts that are the same word in English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from html.parser import HTMLParser

from fullprime.messages import NOTE

ATTRIBUTES = ("title", "aria-label", "aria-description", "aria-roledescription", "placeholder", "alt", "label")
DESCRIPTIONS = ("description", "og:title", "og:description", "og:image:alt", "application-name")
"""Metadata whose ``content`` people see."""
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_INLINE = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "br", "cite", "code", "em", "i", "img", "input", "kbd", "mark", "output", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
))  # fmt: skip
_SKIPPED = frozenset(("script", "style"))
_WORD = re.compile(r"(?!Fullprime\b)\b[^\W\d_]{2}")
"""Two letters of a word that is not our name."""
_SPACE = re.compile(r"\s+")
_MARK = re.compile(r"<(/?)([a-z]+?)(\d*)>")

Translate = Callable[[str], str]
"""Gives the text for a key."""


class MarkupError(ValueError):
    """A page, or a translation, whose markup does not fit."""


@dataclass(slots=True)
class _Node:
    """An element, or without a ``tag`` a piece that is copied as it is; ``text`` is true where people read it."""

    tag: str = ""
    start: str = ""
    end: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Node] = field(default_factory=list)
    is_text: bool = False

    @property
    def has_words(self) -> bool:
        """True for a text with a letter."""
        return self.is_text and bool(_WORD.search(unescape(self.start)))


class _Tree(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.root = _Node()
        self._open = [self.root]
        self.feed(text)
        self.close()
        if len(self._open) != 1:
            raise MarkupError(f"<{self._open[-1].tag}> is not closed")

    def _add(self, raw: str, *, is_text: bool = False) -> None:
        inside = self._open[-1].children
        if is_text and inside and inside[-1].is_text:
            inside[-1].start += raw
        else:
            inside.append(_Node(start=raw, is_text=is_text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raw = self.get_starttag_text()
        assert raw is not None
        node = _Node(tag, raw, attributes={name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in _VOID and not raw.endswith("/>"):
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._open[-1].tag != tag:
            raise MarkupError(f"</{tag}> closes <{self._open[-1].tag}>")
        self._open.pop().end = f"</{tag}>"

    def handle_data(self, data: str) -> None:
        self._add(data, is_text=True)

    def handle_entityref(self, name: str) -> None:
        self._add(f"&{name};", is_text=True)

    def handle_charref(self, name: str) -> None:
        self._add(f"&#{name};", is_text=True)

    def handle_comment(self, data: str) -> None:
        self._add(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self._add(f"<!{decl}>")


def translate_page(page: str, translate: Translate) -> str:
    """A page with its texts in another language; the markup stays as it was."""
    return "".join(_write_node(_Tree(page).root, translate))


def texts_of_page(page: str) -> list[str]:
    """The keys of the texts of a page, in order."""
    texts: list[str] = []

    def note(key: str) -> str:
        texts.append(key)
        return key.partition(NOTE)[0]

    translate_page(page, note)
    return texts


# -- writing -------------------------------------------------------------------------------------------------------
def _write_node(node: _Node, translate: Translate) -> Iterator[str]:
    if not node.tag and not node.children:
        yield node.start
        return
    if node.tag in _SKIPPED or node.attributes.get("translate") == "no":
        yield node.start
        for child in node.children:
            yield from _plain(child)
        yield node.end
        return
    yield _start(node, translate)
    if any(child.has_words for child in node.children):
        if all(_is_inline(child) for child in node.children):
            yield _unit(node, node.children, translate)
        else:
            for child in node.children:
                if child.has_words:
                    yield _unit(node, [child], translate)
                else:
                    yield from _write_node(child, translate)
    else:
        for child in node.children:
            yield from _write_node(child, translate)
    yield node.end


def _plain(node: _Node) -> Iterator[str]:
    yield node.start
    for child in node.children:
        yield from _plain(child)
    yield node.end


def _is_inline(node: _Node) -> bool:
    if not node.tag:
        return True
    return node.tag in _INLINE and all(_is_inline(child) for child in node.children)


def _start(node: _Node, translate: Translate) -> str:
    """The tag that opens an element, its attributes in the other language."""
    attributes = node.attributes
    names = [name for name in ATTRIBUTES if _WORD.search(attributes.get(name, ""))]
    if node.tag == "meta" and DESCRIPTIONS.count(attributes.get("name", attributes.get("property", ""))):
        names.append("content")
    raw = node.start
    for name in names:
        text = escape(translate(_SPACE.sub(" ", attributes[name]).strip()), quote=True)
        before, named_so, value = re.split(rf'(\s{name}=)"', raw, maxsplit=1)
        raw = f'{before}{named_so}"{text}"{value.partition(chr(34))[2]}'
    return raw


def _unit(inside: _Node, children: list[_Node], translate: Translate) -> str:
    """A text with its marks, in the other language."""
    marks: dict[str, _Node] = {}
    counts: Counter[str] = Counter()

    def raw_text(nodes: list[_Node]) -> str:
        text = ""
        for node in nodes:
            if not node.tag:
                text += unescape(node.start) if node.is_text else ""
                continue
            counts[node.tag] += 1
            name = f"{node.tag}{counts[node.tag] if counts[node.tag] > 1 else ''}"
            marks[name] = node
            is_kept = node.attributes.get("translate") == "no"
            within = "" if is_kept else raw_text(node.children)
            text += f"<{name}>{within}" + ("" if node.tag in _VOID or is_kept else f"</{name}>")
        return text

    raw = raw_text(children)
    key = _SPACE.sub(" ", raw).strip()
    before, after = raw[: len(raw) - len(raw.lstrip())], raw[len(raw.rstrip()) :]
    note = inside.attributes.get("data-note")
    text = translate(f"{key}{NOTE}{note}" if note else key)
    return f"{before}{_with_marks(text, key, marks, translate)}{after}"


def _with_marks(text: str, key: str, marks: dict[str, _Node], translate: Translate) -> str:
    markup, at = "", 0
    for mark in _MARK.finditer(text):
        node = marks.get(f"{mark[2]}{mark[3]}")
        if node is None:
            raise MarkupError(f"{text!r}: there is no {mark[0]} in {key!r}")
        markup += escape(text[at : mark.start()], quote=False)
        at = mark.end()
        if node.attributes.get("translate") == "no":
            markup += "".join(_plain(node))
        else:
            markup += node.end if mark[1] else _start(node, translate)
    return markup + escape(text[at:], quote=False)
