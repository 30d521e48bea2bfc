"""Kernels as LLVM's text, not yet optimised and for no processor in particular.

Numba reads the kernels, infers their types and writes LLVM's text; its optimiser and its loader are left out.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import llvmlite.binding as llvm
import numba
from doors import Doors
from numba.core import callconv, codegen, cpu, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from fullprime.engine.core.entries import ENTRIES, STRUCTS
from fullprime.engine.core.prepared import library

ROOM = "fullprime.engine.core"
_LETTERS = {
    "?": types.boolean,
    "b": types.int8,
    "h": types.int16,
    "H": types.uint16,
    "i": types.int32,
    "l": types.int64,
    "f": types.float32,
    "d": types.float64,
}
_SCALARS = {"int": types.int64, "float": types.float64, "float32": types.float32, "bool": types.boolean}


def type_of(word: str) -> Any:
    """Numba's type for a word of `fullprime.engine.core.entries`."""
    if word in _SCALARS:
        return _SCALARS[word]
    if word in STRUCTS:
        module, fields = STRUCTS[word]
        struct_class = getattr(importlib.import_module(f"{ROOM}.{module}"), word)
        return types.NamedTuple([type_of(field) for field in fields.split()], struct_class)
    return types.Array(_LETTERS[word[0]], int(word[1]), "C", readonly=word[2:] == "r")


def lower(only: str = "") -> str:
    """Lower to one text all kernels of `entries` (or of those whose names begin with ``only``) and of their doors."""
    _leave_out_the_rest()
    program: Any = None
    doors = Doors(cpu_target.target_context, "native")
    for name, words in sorted(ENTRIES.items()):
        if not name.startswith(only):
            continue
        module, _, function = name.rpartition(".")
        dispatcher = getattr(importlib.import_module(f"{ROOM}.{module}"), function)
        signature = tuple(type_of(word) for word in words.split())
        dispatcher.compile(signature)
        result = dispatcher.overloads[signature]
        with global_compiler_lock:
            result.library._ensure_finalized()
        part = result.library._final_module.clone()
        doors.add(name, result)
        if program is None:
            program = part
        else:
            program.link_in(part)
        print(f"  {name}: {result.signature.return_type}", file=sys.stderr, flush=True)
    program.link_in(llvm.parse_assembly(doors.finish()))
    return str(program)


def _leave_out_the_rest() -> None:
    """Numba makes its text, and nothing of it is optimised, made into machine code or loaded.

    It wants a built-in function of its own for each kernel, by which it knows them: that of a new list is one.
    """
    library: Any = codegen.CPUCodeLibrary
    library._optimize_functions = lambda _self, _module: None
    library._optimize_final_module = lambda _self: None
    codegen.JITCPUCodegen._add_module = lambda _self, _module: None  # type: ignore[method-assign]
    codegen.JITCodeLibrary._finalize_specific = lambda _self: None  # type: ignore[method-assign]
    cpu.CPUContext.get_executable = lambda *_: [].append  # type: ignore[method-assign]
    # Nor does an exception say where it was raised: that would be a path of the machine that makes the code.
    convention: Any = callconv.CPUCallConv
    convention.build_excinfo_struct = lambda _self, kind, arguments, *_: (kind, arguments, None)


if __name__ == "__main__":
    if library() is not None or numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        sys.exit("Numba has to compile here: see __main__.py")
    sys.stdout.write(lower(*sys.argv[1:]))
