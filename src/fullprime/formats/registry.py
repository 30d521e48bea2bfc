"""The table of formats, in the order in which bytes are tried against them: the most certain signs first."""

from __future__ import annotations

from fullprime.formats.bgblitz import reader as bgblitz
from fullprime.formats.document import Document, FormatError
from fullprime.formats.files import Format
from fullprime.formats.gnubg_text import clipboard
from fullprime.formats.mat import jellyfish, reports, snowie
from fullprime.formats.mat import reader as mat
from fullprime.formats.mat import writer as mat_writer
from fullprime.formats.ogxm import reader as ogxm
from fullprime.formats.ogxm import writer as ogxm_writer
from fullprime.formats.ours import form as json
from fullprime.formats.sgf import reader as sgf
from fullprime.formats.sgf import writer as sgf_writer
from fullprime.formats.sites import bgammon, bgroom, gam, gmd, javafibs, oldmoves, sgg, tmg
from fullprime.formats.xg import reader as xg
from fullprime.formats.xg import writer as xg_writer


def _never(_: bytes) -> bool:
    return False


def _refuse_reading(_: bytes, name: str) -> tuple[Document, ...]:
    raise FormatError(f"{name or 'this text'} is written for people and cannot be read back")


FORMATS: dict[str, Format] = {
    file_format.name: file_format
    for file_format in (
        Format("xg", "eXtreme Gammon", (".xg",), xg.recognises, xg.read, xg_writer.write),
        Format("xgp", "eXtreme Gammon position", (".xgp",), xg.recognises, xg.read, xg_writer.write_position),
        Format("ogxm", "OGXM", (".ogxm", ".gvab"), ogxm.recognises, ogxm.read, ogxm_writer.write),
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
        Format("text", "plain text", (), _never, _refuse_reading, reports.write_text),
        Format("csv", "CSV of events", (), _never, _refuse_reading, reports.write_csv, ".csv"),
    )
}
