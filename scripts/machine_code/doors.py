"""Doors: for each kernel that Python calls a function of C that takes Python's arguments and checks them.

A door uses the stable interface of Python (from 3.11 on) and the part of NumPy's arrays that has not moved since its
first version. Whatever does not fit the kernel's types is answered with ``NotImplemented``, before anything is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

BYTE, INT, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)
POINTER = BYTE.as_pointer()
DOUBLE = ir.DoubleType()

# Where a NumPy array keeps what (PyArrayObject_fields), and its type of elements (PyArray_Descr).
_TYPE, _DATA, _DIMENSIONS, _SHAPE, _STRIDES, _DESCRIPTION, _FLAGS = 8, 16, 24, 32, 40, 56, 64
_BYTE_ORDER, _NUMBER = 26, 28
_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
NUMBERS = {"bool": 0, "int8": 1, "int16": 3, "uint16": 4, "int32": 5, "int64": 7, "float32": 11, "float64": 12}
"""NumPy's numbers of types; that of int64 is the one of C's long."""
LETTERS = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "l", "float32": "f", "float64": "d"}
_TUPLES = 1 << 26
"""Py_TPFLAGS_TUPLE_SUBCLASS."""
_OTHER_ENDIAN = ord(">")
_VARARGS = 1
_STABLE_API = 3

STAMP = "0" * 64
"""What the stamp of the sources is written over."""
CLASSES = ("ndarray", "int64", "float64", "float32", "bool_")
"""Types of NumPy that the loader hands to ``setup``, in this order."""


class Doors:
    """A module of LLVM with the doors of one set of kernels, made with Numba's context that compiled them."""

    def __init__(self, context: Any, name: str) -> None:
        self.context, self.name = context, name
        self.module = ir.Module(name)
        self._classes = {class_name: self._variable(f"class.{class_name}") for class_name in CLASSES}
        self._methods: list[tuple[str, ir.Function]] = []
        self._array_check = self._write_array_check()

    # -- one door ---------------------------------------------------------------------------------------------
    def add(self, name: str, result: Any) -> None:
        """A door for a compiled kernel (Numba's result of the compilation)."""
        function = self.function(f"door.{name}", POINTER, [POINTER, POINTER])
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.refuse = function.append_basic_block("refuse")
        self.fail = function.append_basic_block("fail")
        arguments = self._unbox_items(builder, function.args[1], result.signature.args)
        kernel = self.context.call_conv
        callee = ir.Function(
            self.module,
            kernel.get_function_type(result.fndesc.restype, result.fndesc.argtypes),
            result.fndesc.llvm_func_name,
        )
        thread = builder.call(self.outside("PyEval_SaveThread", POINTER, []), [])
        status, value = kernel.call_function(
            builder, callee, result.fndesc.restype, result.fndesc.argtypes, arguments, attrs=("noinline",)
        )
        builder.call(self.outside("PyEval_RestoreThread", ir.VoidType(), [POINTER]), [thread])
        with builder.if_then(builder.not_(status.is_ok), likely=False):
            builder.ret(self._encode_error(builder, status))
        builder.ret(self.box(builder, result.signature.return_type, value))
        builder.position_at_end(self.fail)
        builder.call(self.outside("PyErr_Clear", ir.VoidType(), []), [])
        builder.branch(self.refuse)
        builder.position_at_end(self.refuse)
        builder.ret(self._new_reference(builder, "_Py_NotImplementedStruct"))
        self._methods.append((name, function))

    def _encode_error(self, builder: Any, status: Any) -> Any:
        """What a kernel raises, as bytes: Numba keeps pickled exceptions, the loader reads them."""
        kind = ir.LiteralStructType([POINTER, INT, POINTER, POINTER, INT])
        missing = cgutils.is_null(builder, status.excinfoptr)
        size = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        data = cgutils.alloca_once_value(builder, ir.Constant(POINTER, None))
        with builder.if_then(builder.not_(missing)):
            info = builder.bitcast(status.excinfoptr, kind.as_pointer())
            fields = [builder.extract_value(builder.load(info), index) for index in (0, 1, 4)]
            with builder.if_then(cgutils.is_null(builder, fields[2])):
                builder.store(builder.sext(fields[1], WORD), size)
                builder.store(fields[0], data)
        maker = self.outside("PyBytes_FromStringAndSize", POINTER, [POINTER, WORD])
        return builder.call(maker, [builder.load(data), builder.load(size)])

    # -- arguments --------------------------------------------------------------------------------------------
    def _unbox_items(self, builder: Any, container: Any, kinds: Sequence[Any]) -> list[Any]:
        size = builder.call(self.outside("PyTuple_Size", WORD, [POINTER]), [container])
        self._require(builder, builder.icmp_signed("==", size, ir.Constant(WORD, len(kinds))))
        item = self.outside("PyTuple_GetItem", POINTER, [POINTER, WORD])
        return [
            self.unbox(builder, builder.call(item, [container, ir.Constant(WORD, at)]), kind)
            for at, kind in enumerate(kinds)
        ]

    def unbox(self, builder: Any, argument: Any, kind: Any) -> Any:
        """Give Numba's value of an argument; leaves by ``refuse`` where it is not of that kind."""
        if isinstance(kind, types.Array):
            return self._unbox_array(builder, argument, kind)
        if isinstance(kind, types.BaseNamedTuple):
            object_type = self._field(builder, argument, _TYPE, POINTER)
            flags = builder.call(self.outside("PyType_GetFlags", WORD, [POINTER]), [object_type])
            self._require(builder, cgutils.is_not_null(builder, builder.and_(flags, ir.Constant(WORD, _TUPLES))))
            elements = kind.types  # type: ignore[attr-defined]
            return self.context.make_tuple(builder, kind, self._unbox_items(builder, argument, elements))
        return self._unbox_scalar(builder, argument, kind)

    def _unbox_scalar(self, builder: Any, argument: Any, kind: Any) -> Any:
        object_type = self._field(builder, argument, _TYPE, POINTER)
        if kind == types.int64:
            self._require(builder, self._is_one_of(builder, object_type, self._symbol("PyLong_Type"), "int64"))
            value = builder.call(self.outside("PyLong_AsLongLong", WORD, [POINTER]), [argument])
            doubtful = builder.icmp_signed("==", value, ir.Constant(WORD, -1))
            with builder.if_then(doubtful, likely=False):
                self._fail_on_error(builder)
            return value
        if kind == types.boolean:
            self._require(builder, self._is_one_of(builder, object_type, self._symbol("PyBool_Type"), "bool_"))
            truth = builder.call(self.outside("PyObject_IsTrue", INT, [POINTER]), [argument])
            return builder.icmp_signed(">", truth, ir.Constant(INT, 0))
        if kind == types.float64:
            self._require(builder, self._is_one_of(builder, object_type, self._symbol("PyFloat_Type"), "float64"))
        elif kind == types.float32:
            self._require(builder, builder.icmp_unsigned("==", object_type, builder.load(self._classes["float32"])))
        else:
            raise TypeError(f"no door for arguments of type {kind}")
        value = builder.call(self.outside("PyFloat_AsDouble", DOUBLE, [POINTER]), [argument])
        return value if kind == types.float64 else builder.fptrunc(value, ir.FloatType())

    def _is_one_of(self, builder: Any, object_type: Any, usual: Any, other: str) -> Any:
        same = builder.icmp_unsigned("==", object_type, usual)
        return builder.or_(same, builder.icmp_unsigned("==", object_type, builder.load(self._classes[other])))

    def _unbox_array(self, builder: Any, argument: Any, kind: Any) -> Any:
        if kind.layout != "C" or str(kind.dtype) not in NUMBERS:
            raise TypeError(f"no door for arguments of type {kind}")
        flags = _CONTIGUOUS | _ALIGNED | (_WRITEABLE if kind.mutable else 0)
        wanted = (NUMBERS[str(kind.dtype)], kind.ndim, flags)
        good = builder.call(self._array_check, [argument, *(ir.Constant(INT, number) for number in wanted)])
        self._require(builder, good)
        lengths = self._field(builder, argument, _SHAPE, WORD.as_pointer())
        steps = self._field(builder, argument, _STRIDES, WORD.as_pointer())
        shape, strides = (
            [builder.load(builder.gep(where, [ir.Constant(WORD, axis)])) for axis in range(kind.ndim)]
            for where in (lengths, steps)
        )
        count = ir.Constant(WORD, 1)
        for length in shape:
            count = builder.mul(count, length)
        array = self.context.make_array(kind)(self.context, builder)
        array.meminfo = ir.Constant(POINTER, None)
        array.parent = ir.Constant(POINTER, None)
        array.nitems = count
        array.itemsize = ir.Constant(WORD, kind.dtype.bitwidth // 8 if kind.dtype != types.boolean else 1)
        array.data = builder.bitcast(self._field(builder, argument, _DATA, POINTER), array.data.type)
        array.shape = cgutils.pack_array(builder, shape)
        array.strides = cgutils.pack_array(builder, strides)
        return array._getvalue()

    def _write_array_check(self) -> ir.Function:
        """(object, number of the type, dimensions, flags) -> whether the object is such an array."""
        function = self.function("is_array", ir.IntType(1), [POINTER, INT, INT, INT])
        builder = ir.IRBuilder(function.append_basic_block())
        argument, number, dimensions, flags = function.args
        array_class = builder.load(self._classes["ndarray"])
        object_type = self._field(builder, argument, _TYPE, POINTER)
        with builder.if_then(builder.icmp_unsigned("!=", object_type, array_class), likely=False):
            below = builder.call(self.outside("PyType_IsSubtype", INT, [POINTER, POINTER]), [object_type, array_class])
            with builder.if_then(builder.icmp_signed("==", below, ir.Constant(INT, 0))):
                builder.ret(ir.Constant(ir.IntType(1), 0))
        description = self._field(builder, argument, _DESCRIPTION, POINTER)
        order = self._field(builder, description, _BYTE_ORDER, BYTE)
        good = builder.icmp_unsigned("!=", order, ir.Constant(BYTE, _OTHER_ENDIAN))
        for where, at, value in ((description, _NUMBER, number), (argument, _DIMENSIONS, dimensions)):
            good = builder.and_(good, builder.icmp_signed("==", self._field(builder, where, at, INT), value))
        has = builder.and_(self._field(builder, argument, _FLAGS, INT), flags)
        builder.ret(builder.and_(good, builder.icmp_signed("==", has, flags)))
        return function

    # -- results ----------------------------------------------------------------------------------------------
    def box(self, builder: Any, kind: Any, value: Any) -> Any:
        """Make a new reference to what a kernel gives; arrays as (letter, bytes that can be written, lengths)."""
        if kind == types.none:
            return self._new_reference(builder, "_Py_NoneStruct")
        if isinstance(kind, types.Integer):
            wide = builder.sext(value, WORD) if value.type.width < WORD.width else value
            return builder.call(self.outside("PyLong_FromLongLong", POINTER, [WORD]), [wide])
        if kind == types.boolean:
            return builder.call(self.outside("PyBool_FromLong", POINTER, [WORD]), [builder.zext(value, WORD)])
        if isinstance(kind, types.Float):
            wide = value if kind == types.float64 else builder.fpext(value, DOUBLE)
            return builder.call(self.outside("PyFloat_FromDouble", POINTER, [DOUBLE]), [wide])
        if isinstance(kind, types.BaseTuple):
            elements = kind.types  # type: ignore[attr-defined]
            parts = [
                self.box(builder, element, builder.extract_value(value, at)) for at, element in enumerate(elements)
            ]
            return self._make_tuple(builder, parts)
        if isinstance(kind, types.Array) and kind.layout == "C":
            return self._box_array(builder, kind, value)
        raise TypeError(f"no door for results of type {kind}")

    def _box_array(self, builder: Any, kind: Any, value: Any) -> Any:
        array = self.context.make_array(kind)(self.context, builder, value)
        size = builder.mul(array.nitems, array.itemsize)
        copy = self.outside("PyByteArray_FromStringAndSize", POINTER, [POINTER, WORD])
        content = builder.call(copy, [builder.bitcast(array.data, POINTER), size])
        builder.call(self.outside("NRT_decref", ir.VoidType(), [POINTER]), [builder.bitcast(array.meminfo, POINTER)])
        letter = builder.call(
            self.outside("PyUnicode_FromString", POINTER, [POINTER]), [self.text(builder, LETTERS[str(kind.dtype)])]
        )
        number = self.outside("PyLong_FromLongLong", POINTER, [WORD])
        lengths = [builder.call(number, [builder.extract_value(array.shape, axis)]) for axis in range(kind.ndim)]
        return self._make_tuple(builder, [letter, content, *lengths])

    def _make_tuple(self, builder: Any, parts: list[Any]) -> Any:
        items = builder.call(self.outside("PyTuple_New", POINTER, [WORD]), [ir.Constant(WORD, len(parts))])
        set_item = self.outside("PyTuple_SetItem", INT, [POINTER, WORD, POINTER])
        for at, part in enumerate(parts):
            builder.call(set_item, [items, ir.Constant(WORD, at), part])
        return items

    # -- the module of Python ---------------------------------------------------------------------------------
    def finish(self) -> str:
        """The text of the module, with its entry for Python's import; the stamp is to become its docstring."""
        self._methods.append(("setup", self._write_setup()))
        self._write_start()
        return str(self.module)

    def _write_setup(self) -> ir.Function:
        """Takes the classes of `CLASSES`, which the loader keeps alive."""
        function = self.function("setup", POINTER, [POINTER, POINTER])
        builder = ir.IRBuilder(function.append_basic_block())
        item = self.outside("PyTuple_GetItem", POINTER, [POINTER, WORD])
        for at, class_name in enumerate(CLASSES):
            builder.store(builder.call(item, [function.args[1], ir.Constant(WORD, at)]), self._classes[class_name])
        builder.ret(self._new_reference(builder, "_Py_NoneStruct"))
        return function

    def _write_start(self) -> None:
        method = ir.LiteralStructType([POINTER, POINTER, INT, POINTER])
        rows = [
            ir.Constant(method, [self._constant_text(name), function, ir.Constant(INT, _VARARGS), _null()])
            for name, function in self._methods
        ]
        rows.append(ir.Constant(method, [_null(), _null(), ir.Constant(INT, 0), _null()]))
        table = self._data("methods", ir.Constant(ir.ArrayType(method, len(rows)), rows))
        base = [ir.Constant(WORD, 1), _null(), _null(), ir.Constant(WORD, 0), _null()]
        words = [self._constant_text(self.name), self._constant_text(STAMP), ir.Constant(WORD, -1), table]
        fields = [*base, *words, _null(), _null(), _null(), _null()]
        kind = ir.LiteralStructType([WORD if field.type == WORD else POINTER for field in fields])
        definition = self._data("definition", ir.Constant(kind, fields))
        start = ir.Function(self.module, ir.FunctionType(POINTER, []), f"PyInit_{self.name}")
        builder = ir.IRBuilder(start.append_basic_block())
        make = self.outside("PyModule_Create2", POINTER, [POINTER, INT])
        builder.ret(builder.call(make, [builder.bitcast(definition, POINTER), ir.Constant(INT, _STABLE_API)]))

    # -- small things -----------------------------------------------------------------------------------------
    def function(self, name: str, result: ir.Type, arguments: Sequence[ir.Type]) -> ir.Function:
        """A function of this module alone."""
        function = ir.Function(self.module, ir.FunctionType(result, arguments), name)
        function.linkage = "internal"
        return function

    def outside(self, name: str, result: ir.Type, arguments: Sequence[ir.Type]) -> ir.Function:
        """A function of Python's."""
        return cgutils.get_or_insert_function(self.module, ir.FunctionType(result, arguments), name)

    def text(self, builder: Any, content: str) -> Any:
        """The address of a text that ends with 0."""
        return builder.bitcast(self._constant_text(content), POINTER)

    def _constant_text(self, content: str) -> Any:
        name = f"text.{content}"
        if name in self.module.globals:
            return self.module.globals[name]
        return self._data(name, cgutils.make_bytearray(content.encode() + b"\0"), constant=True)

    def _data(self, name: str, value: ir.Constant, *, constant: bool = False) -> ir.GlobalVariable:
        variable = ir.GlobalVariable(self.module, value.type, name)
        variable.linkage, variable.initializer, variable.global_constant = "internal", value, constant
        return variable

    def _variable(self, name: str) -> ir.GlobalVariable:
        return self._data(name, _null())

    def _symbol(self, name: str) -> Any:
        """The address of an object of Python's own."""
        if name not in self.module.globals:
            ir.GlobalVariable(self.module, BYTE, name)
        return self.module.globals[name]

    def _new_reference(self, builder: Any, name: str) -> Any:
        reference = self._symbol(name)
        builder.call(self.outside("Py_IncRef", ir.VoidType(), [POINTER]), [reference])
        return reference

    def _field(self, builder: Any, start: Any, at: int, kind: ir.Type) -> Any:
        place = builder.gep(builder.bitcast(start, POINTER), [ir.Constant(WORD, at)])
        return builder.load(builder.bitcast(place, kind.as_pointer()))

    def _require(self, builder: Any, condition: Any) -> None:
        going_on = builder.append_basic_block()
        builder.cbranch(condition, going_on, self.refuse)
        builder.position_at_end(going_on)

    def _fail_on_error(self, builder: Any) -> None:
        occurred = builder.call(self.outside("PyErr_Occurred", POINTER, []), [])
        going_on = builder.append_basic_block()
        builder.cbranch(cgutils.is_null(builder, occurred), going_on, self.fail)
        builder.position_at_end(going_on)


def _null() -> ir.Constant:
    return ir.Constant(POINTER, None)
