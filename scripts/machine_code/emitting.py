"""LLVM's text of all kernels made into a library for one level of processors."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Target:
    """A level of processors: how LLVM names it, and the text of the kernels (``bits`` or ``vectors``) made for it."""

    triple: str
    processor: str
    features: str
    text: str
    linker: tuple[str, ...]


TARGETS = {
    "x86-64-v3": Target("x86_64-unknown-linux-gnu", "x86-64-v3", "", "bits", ("-m", "elf_x86_64")),
    "x86-64-v4": Target("x86_64-unknown-linux-gnu", "x86-64-v4", "+avx512vnni", "vectors", ("-m", "elf_x86_64")),
    "aarch64": Target("aarch64-unknown-linux-gnu", "generic", "+v8a,+neon", "bits", ("-m", "aarch64elf")),
}
FEATURES = {"bits": "", "vectors": "+avx512f"}
"""The features of the processor that Numba gets while it reads the kernels: two ways to list active units."""

_ENTRY = "PyInit_native"
_RUN_TIME = """
declare ptr @malloc(i64)
declare void @free(ptr)

; Numba's blocks of memory: {references, destructor, its argument, data, size, allocator}, the data aligned.
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %wide = zext i32 %align to i64
  %head = add i64 %wide, 48
  %total = add i64 %size, %head
  %overflow = icmp ult i64 %total, %size
  br i1 %overflow, label %none, label %try
try:
  %block = call ptr @malloc(i64 %total)
  %missing = icmp eq ptr %block, null
  br i1 %missing, label %none, label %good
good:
  %start = ptrtoint ptr %block to i64
  %after = add i64 %start, %head
  %less = sub i64 %wide, 1
  %under = sub i64 %after, 1
  %mask = xor i64 %less, -1
  %place = and i64 %after, %mask
  %data = inttoptr i64 %place to ptr
  store i64 1, ptr %block
  %destructor = getelementptr i8, ptr %block, i64 8
  store ptr null, ptr %destructor
  %argument = getelementptr i8, ptr %block, i64 16
  store ptr null, ptr %argument
  %where = getelementptr i8, ptr %block, i64 24
  store ptr %data, ptr %where
  %length = getelementptr i8, ptr %block, i64 32
  store i64 %size, ptr %length
  %allocator = getelementptr i8, ptr %block, i64 40
  store ptr null, ptr %allocator
  ret ptr %block
none:
  ret ptr null
}

; The strides of an array in another shape. Every array here lies in one piece in the order of C.
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %newnd, ptr %newdims, ptr %newstrides,
                                         i64 %itemsize, i32 %fortran) {
  %other = icmp ne i32 %fortran, 0
  br i1 %other, label %no, label %next
next:
  %left = phi i64 [ %newnd, %0 ], [ %at, %fill ]
  %step = phi i64 [ %itemsize, %0 ], [ %larger, %fill ]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %fill, label %yes
fill:
  %at = sub i64 %left, 1
  %stride = getelementptr i64, ptr %newstrides, i64 %at
  store i64 %step, ptr %stride
  %dim = getelementptr i64, ptr %newdims, i64 %at
  %length = load i64, ptr %dim
  %larger = mul i64 %step, %length
  br label %next
yes:
  ret i32 1
no:
  ret i32 0
}

declare float @llvm.sqrt.f32(float)

define float @sqrtf(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  ret float %root
}

define ptr @NRT_MemInfo_alloc(i64 %size) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %block
}

define ptr @NRT_Allocate(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  ret ptr %block
}

define void @NRT_Free(ptr %block) {
  call void @free(ptr %block)
  ret void
}

define void @NRT_MemInfo_call_dtor(ptr %block) {
  call void @free(ptr %block)
  ret void
}
"""


def emit(text: str, target: Target) -> bytes:
    """Emit the object file of the kernels for a level."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc="pic", codemodel="default"
    )
    module = llvm.parse_assembly(_retarget(text, target, str(machine.target_data)))
    module.link_in(llvm.parse_assembly(_RUN_TIME))
    module.verify()
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == _ENTRY else "internal"
    _optimise(module, machine)
    externals = sorted(
        function.name
        for function in module.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    )
    externals += sorted(variable.name for variable in module.global_variables if variable.is_declaration)
    print("  asks the process for:", " ".join(externals), file=sys.stderr)
    if any(re.match("NRT_|numba|_ZN", name) for name in externals) or "numba.dynamic.globals" in str(module):
        raise RuntimeError("kernels need Numba when they run")
    object_file: bytes = machine.emit_object(module)
    return object_file


def _retarget(text: str, target: Target, layout: str) -> str:
    """Retarget the text: what Numba notes of this machine is taken out."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple = .*$", f'target triple = "{target.triple}"', text, flags=re.MULTILINE)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    # Python's own objects of Numba's kernels are never made here.
    return re.sub(r"= common (local_unnamed_addr )?global", "= internal global", text)


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """As Numba does it: a cheap round that inlines, references pruned, then everything."""
    unused = llvm.create_new_module_pass_manager()
    unused.add_global_dead_code_eliminate_pass()
    unused.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    for level in (0, 3):
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization, options.slp_vectorization = level > 0, False
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if level == 0:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.add_refprune_pass()
        passes.run(module, builder)


def link(object_file: bytes, target: Target, folder: Path, name: str) -> Path:
    """Link the shared library, by LLVM's linker."""
    (folder / f"{name}.o").write_bytes(object_file)
    library = folder / f"{name}.so"
    options = ["-shared", "-O2", "--gc-sections", "--strip-all", "--build-id=none", "-z", "now", "-z", "noexecstack"]
    files = ["-o", str(library), str(folder / f"{name}.o")]
    subprocess.run(["ld.lld", *target.linker, *options, *files], check=True)  # noqa: S603, S607
    return library
