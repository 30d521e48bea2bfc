"""From a run into the package: the net in 16 bits under its content hash, declared in the manifest.

fullprime train export NET [--phase small] [--origin TEXT]
"""

from __future__ import annotations

import argparse
import json
import tomllib
from dataclasses import replace
from pathlib import Path

from fullprime.engine.nets.net import DATA, PHASES, Net
from fullprime_lab.training.masters import MASTERS
from fullprime_lab.training.partial_files import write_text

_SHARED = """# Games that the nets of another one judge.
[shared]"""
_WIDE = """# Phases that the wide nets judge themselves; beside the contact net such a phase keeps its own net.
[wide]"""
_HEAD = """# The nets in use, by variant and phase. A name ends in the hash of what the net computes.
# Written by fullprime_lab.training.export.
"""


def export(net: Net, data: Path = DATA, masters: Path | None = None) -> Path:
    """Write the net beside the others, name it in ``manifest.toml`` and take the one it replaces away.

    The net in float32 goes to ``masters``: for the nets of the package the folder of the clone, if it is one. A game
    that shared the nets of another one has its own from then on.
    """
    if masters is None and data == DATA and MASTERS.is_dir():
        masters = MASTERS
    manifest = data / "manifest.toml"
    nets: dict[str, dict[str, str]] = {}
    shared: dict[str, str] = {}
    wide: dict[str, list[str]] = {}
    if manifest.exists():
        declared = tomllib.loads(manifest.read_text(encoding="utf-8"))
        nets, shared, wide = (declared.get(table, {}) for table in ("nets", "shared", "wide"))
    shared.pop(net.variant, None)
    path = net.save_rounded(data / "nets")
    if masters is not None:
        net.save(masters)
    before = nets.get(net.variant, {}).get(net.phase)
    nets.setdefault(net.variant, {})[net.phase] = path.name
    lines = [_HEAD]
    for variant in sorted(nets):
        lines.append(f"[nets.{variant}]")
        lines += [f'{phase} = "{name}"' for phase, name in sorted(nets[variant].items())]
        lines.append("")
    if shared:
        lines += [_SHARED, *(f'{variant} = "{other}"' for variant, other in sorted(shared.items())), ""]
    if wide:
        lines += [_WIDE, *(f"{variant} = {json.dumps(phases)}" for variant, phases in sorted(wide.items())), ""]
    write_text(manifest, "\n".join(lines))
    if before and before != path.name:
        for folder in filter(None, (data / "nets", masters)):
            (folder / before).unlink(missing_ok=True)
    return path


def main() -> None:
    """Export one net file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", type=Path)
    parser.add_argument("--origin", default="", help="how it was made, kept in the file")
    parser.add_argument("--phase", choices=PHASES, help="what it is for, if not what the file says")
    options = parser.parse_args()
    net = Net.read(options.net)
    print(export(replace(net, phase=options.phase or net.phase, origin=options.origin or net.origin)))  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()
