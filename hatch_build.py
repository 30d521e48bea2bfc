"""The metadata of a release that hang on its address: the description from the README, and the links of the project.

Hatchling calls this at each build. The address of the repository is one line of ``pyproject.toml``. The package index
shows a description far from the repository, so links and pictures get that address; without one, a link keeps its
words and a picture is left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?!\w+:|#)(?P<target>[^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def describe(text: str, address: str, version: str) -> str:
    """The README as the index shows it: each relative link and picture leads to the version at the address."""

    def follow(link: re.Match[str]) -> str:
        if not address:
            return "" if link["picture"] else link["words"]
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['words']}]({address}/{kind}/v{version}/{link['target']})"

    parts, end = [], 0
    for block in CODE.finditer(text):
        parts += [RELATIVE.sub(follow, text[end : block.start()]), block[0]]
        end = block.end()
    return re.sub(r"\n{3,}", "\n\n", "".join([*parts, RELATIVE.sub(follow, text[end:])]))


def links(address: str, version: str) -> dict[str, str]:
    """The links beside the description on the index."""
    if not address:
        return {}
    pages = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
    return {
        "Source": address,
        **{name: f"{address}/blob/v{version}/{page}" for name, page in pages.items()},
        "Issues": f"{address}/issues",
    }


class CustomMetadataHook(MetadataHookInterface):
    """Hatchling looks for a hook by this name."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill the fields that ``pyproject.toml`` calls dynamic."""
        address, version = self.config["address"].rstrip("/"), metadata["version"]
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": describe(text, address, version)}
        metadata["urls"] = links(address, version)
