"""The accessibility tree of a page, as Chromium gives it to a screen reader, and the only hands that one has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.web.browsing import wait_until

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
        return any(area.startswith(place) for area in self.inside)


class Tree:
    """A listener at a page: roles, names, values and states, in their order; neither classes nor pictures."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._line = page.context.new_cdp_session(page)
        self._line.send("Accessibility.enable")
        self.nodes: list[Heard] = []

    def listen(self) -> Tree:
        """The tree as it is now."""
        tree = self._line.send("Accessibility.getFullAXTree")["nodes"]
        nodes, self.nodes = {node["nodeId"]: node for node in tree}, []
        self._walk(tree[0], nodes, ())
        return self

    def _walk(self, node: dict[str, Any], nodes: dict[str, Any], inside: tuple[str, ...]) -> None:
        role = str(node.get("role", {}).get("value", "none"))
        if not node.get("ignored") and role not in _SILENT:
            name, value = (str(node.get(part, {}).get("value", "")).strip() for part in ("name", "value"))
            states = {state["name"]: state["value"].get("value") for state in node.get("properties", [])}
            self.nodes.append(Heard(role, name, value, states, inside, node.get("backendDOMNodeId", 0)))
            inside = (*inside, f"{role} {name}")
        for child in node.get("childIds", []):
            if child in nodes:
                self._walk(nodes[child], nodes, inside)

    def all(self, role: str, name: str = "", inside: str = "") -> list[Heard]:
        """Those of a role whose name has a pattern in it, and that are not asleep."""
        return [
            node
            for node in self.nodes
            if node.role == role
            and re.search(name, node.name)
            and node.lies_in(inside)
            and not node.states.get("disabled")
        ]

    def text(self, inside: str) -> str:
        """All words within something."""
        return " ".join(node.name for node in self.nodes if node.role == "StaticText" and node.lies_in(inside))

    def until(self, *wanted: tuple[str, str]) -> Heard:
        """Listen until there is one of these (role and pattern of a name), the first in this order."""
        heard: list[Heard] = []

        def listen() -> list[Heard]:
            self.listen()
            heard.extend(nodes[0] for role, name in wanted if (nodes := self.all(role, name)))
            return heard

        wait_until(self._page, listen, lambda: f"none of {wanted} is heard: {self.spoken()}")
        return heard[0]

    def focused(self) -> Heard | None:
        """The thing that has the focus; None where that is the page as a whole."""
        return next((node for node in self.nodes if node.states.get("focused") and node.role != "RootWebArea"), None)

    def spoken(self) -> str:
        """The whole tree as lines, for messages."""
        return "\n".join(f"{node.role} {node.name} {node.value}".rstrip() for node in self.nodes)

    def use(self, node: Heard) -> None:
        """Focus and activate it."""
        self._call(node, _ACTIVATE)

    def choose(self, node: Heard) -> None:
        """Choose an option of a list."""
        self._call(node, _CHOOSE)

    def fill(self, node: Heard, text: str) -> None:
        """Put text in place of what a field has."""
        self._call(node, _FILL, text)

    def _call(self, target: Heard, function: str, *arguments: str) -> None:
        node = self._line.send("DOM.resolveNode", {"backendNodeId": target.behind})["object"]["objectId"]
        values = [{"value": argument} for argument in arguments]
        call = {"functionDeclaration": function, "objectId": node, "arguments": values}
        failed = self._line.send("Runtime.callFunctionOn", call).get("exceptionDetails")
        assert failed is None, failed
