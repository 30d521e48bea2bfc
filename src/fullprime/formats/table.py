"""The table of formats, in the order in which bytes are tried against them: the most certain signs first."""

from __future__ import annotations

from fullprime.formats import json, mat, mat_writer, sgf, sgf_writer, snowie, xg
from fullprime.formats.files import Format

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        Format("json", "Fullprime JSON", (".json",), json.recognises, json.read, json.write),
        Format("xg", "eXtreme Gammon", (".xg", ".xgp"), xg.recognises, xg.read),
        Format("sgf", "Smart Game Format", (".sgf",), sgf.recognises, sgf.read, sgf_writer.write),
        Format("snowie", "Snowie position", (".txt",), snowie.recognises, snowie.read, snowie.write),
        Format("mat", "match text", (".mat", ".txt"), mat.recognises, mat.read, mat_writer.write),
    )
}
