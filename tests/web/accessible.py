"""The accessibility tree of a page, as Chromium gives it to a screen reader, and the only hands that one has."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Any

SECONDS = 30
_SILENT = {"none", "generic", "InlineTextBox", "LineBreak"}
# Assistive technology focuses and activates; a click that no pointer made is how a page learns of it.
_ACTIVATE = """function () {
  this.focus();
  this.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, detail: 0}));
}"""
_CHOOSE = """function () {
  const list = this.closest('select');
  list.focus();
  list.value = this.value;
  for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, {bubbles: true}));
}"""
_FILL = """function (text) {
  this.focus();
  this.value = text;
  for (const kind of ['input', 'change']) this.dispatchEvent(new Event(kind, {bubbles: true}));
}"""


@dataclass(frozen=True, slots=True)
class Heard:
    """A node of the tree: what is read out of it, and the node of the page behind it."""

    role: str
    name: str
    value: str
    states: dict[str, Any]
    inside: tuple[str, ...]
    """Each that it lies in, from the outermost, as `role name`."""
    behind: int

    def lies_in(self, place: str) -> bool:
        """True within something that is called so: `dialog`, `group Actions`."""
        return any(each.startswith(place) for each in self.inside)


class Tree:
    """A listener at a page: roles, names, values and states, in their order; neither classes nor pictures."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._line = page.context.new_cdp_session(page)
        self._line.send("Accessibility.enable")
        self.nodes: list[Heard] = []

    def listen(self) -> Tree:
        """The tree as it is now."""
        told = self._line.send("Accessibility.getFullAXTree")["nodes"]
        known, self.nodes = {each["nodeId"]: each for each in told}, []
        self._walk(told[0], known, ())
        return self

    def _walk(self, node: dict[str, Any], known: dict[str, Any], inside: tuple[str, ...]) -> None:
        role = str(node.get("role", {}).get("value", "none"))
        if not node.get("ignored") and role not in _SILENT:
            name, value = (str(node.get(part, {}).get("value", "")).strip() for part in ("name", "value"))
            states = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
            self.nodes.append(Heard(role, name, value, states, inside, node.get("backendDOMNodeId", 0)))
            inside = (*inside, f"{role} {name}")
        for each in node.get("childIds", []):
            if each in known:
                self._walk(known[each], known, inside)

    def all(self, role: str, name: str = "", inside: str = "") -> list[Heard]:
        """Those of a role whose name has a pattern in it, and that are not asleep."""
        return [
            each
            for each in self.nodes
            if each.role == role
            and re.search(name, each.name)
            and each.lies_in(inside)
            and not each.states.get("disabled")
        ]

    def text(self, inside: str) -> str:
        """All words within something."""
        return " ".join(each.name for each in self.nodes if each.role == "StaticText" and each.lies_in(inside))

    def until(self, *wanted: tuple[str, str]) -> Heard:
        """Listen until there is one of these (role and pattern of a name), the first in this order."""
        end = time.monotonic() + SECONDS
        while True:
            self.listen()
            for role, name in wanted:
                if found := self.all(role, name):
                    return found[0]
            assert time.monotonic() < end, f"none of {wanted} is heard: {self.spoken()}"
            self._page.wait_for_timeout(20)

    def focused(self) -> Heard | None:
        """The thing that has the focus; None where that is the page as a whole."""
        return next((each for each in self.nodes if each.states.get("focused") and each.role != "RootWebArea"), None)

    def spoken(self) -> str:
        """The whole tree as lines, for messages."""
        return "\n".join(f"{each.role} {each.name} {each.value}".rstrip() for each in self.nodes)

    def use(self, thing: Heard) -> None:
        """Focus and activate it."""
        self._call(thing, _ACTIVATE)

    def choose(self, thing: Heard) -> None:
        """Choose an option of a list."""
        self._call(thing, _CHOOSE)

    def fill(self, thing: Heard, text: str) -> None:
        """Put text in place of what a field has."""
        self._call(thing, _FILL, text)

    def _call(self, thing: Heard, what: str, *arguments: str) -> None:
        node = self._line.send("DOM.resolveNode", {"backendNodeId": thing.behind})["object"]["objectId"]
        values = [{"value": each} for each in arguments]
        asked = {"functionDeclaration": what, "objectId": node, "arguments": values}
        failed = self._line.send("Runtime.callFunctionOn", asked).get("exceptionDetails")
        assert failed is None, failed
