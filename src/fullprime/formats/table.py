"""The table of formats, in the order in which bytes are tried against them: the most certain signs first."""

from __future__ import annotations

from fullprime.formats import (
    bgammon,
    bgblitz,
    bgroom,
    clipboard,
    gam,
    gmd,
    javafibs,
    jellyfish,
    json,
    mat,
    mat_writer,
    ogxm,
    oldmoves,
    reports,
    sgf,
    sgf_writer,
    sgg,
    snowie,
    tmg,
    xg,
)
from fullprime.formats.document import Document, FormatError
from fullprime.formats.files import Format


def _never(_: bytes) -> bool:
    return False


def _unread(_: bytes, name: str) -> tuple[Document, ...]:
    raise FormatError(f"{name or 'this text'} is written for people and cannot be read back")


FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        Format("xg", "eXtreme Gammon", (".xg", ".xgp"), xg.recognises, xg.read),
        Format("ogxm", "OGXM", (".ogxm", ".gvab"), ogxm.recognises, ogxm.read),
        Format("bgblitz", "BGBlitz match", (".bgf",), bgblitz.recognises, bgblitz.read),
        Format("json", "Fullprime JSON", (".json",), json.recognises, json.read, json.write),
        Format("jellyfish", "Jellyfish position", (".pos",), jellyfish.recognises, jellyfish.read),
        Format("sgf", "Smart Game Format", (".sgf",), sgf.recognises, sgf.read, sgf_writer.write),
        Format("bgroom", "BGRoom text", (".bgf",), bgroom.recognises, bgroom.read),
        Format("party", "PartyGammon", (".gam",), gam.recognises_party, gam.read_party),
        Format("javafibs", "JavaFIBS", (".match",), javafibs.recognises, javafibs.read),
        Format("gmd", "Gibbon match data", (".gmd",), gmd.recognises, gmd.read),
        Format("snowie", "Snowie position", (".txt",), snowie.recognises, snowie.read, snowie.write),
        Format("tmg", "TrueMoneyGames", (".tmg",), tmg.recognises, tmg.read),
        Format("sgg", "GamesGrid", (".sgg",), sgg.recognises, sgg.read),
        Format("oldmoves", "FIBS oldmoves", (".fibs",), oldmoves.recognises, oldmoves.read),
        Format("mat", "match text", (".mat", ".txt"), mat.recognises, mat.read, mat_writer.write),
        Format("clipboard", "clipboard text", (".txt",), clipboard.recognises, clipboard.read),
        Format("gam", "Jellyfish game", (".gam",), gam.recognises_empire, gam.read_empire),
        Format("bgammon", "bgammon.org replay", (".match",), bgammon.recognises, bgammon.read),
        Format("snowietxt", "Snowie match text", (), _never, mat.read, reports.write_snowie),
        Format("text", "plain text", (), _never, _unread, reports.write_text),
        Format("csv", "CSV of events", (), _never, _unread, reports.write_csv),
        Format("anki", "Anki cards", (), _never, _unread, reports.write_anki),
    )
}
