"""Asks a shared library that holds Open Policy Agent for decisions.

usage: python3 opa_bridge.py LIBRARY

Reads lines of JSON, {"modules": [...], "data": {...}, "rule": ..., "inputs": [...]}, where data are
texts by their path, and an input is the text of a JSON document, or null for no input at all. Writes
a line for each: a list of what the library says on each input, the text of {"result": ...} or of
{"error": ...}.
"""

import ctypes
import json
import sys

FUNCTIONS = {
    "OpaNew": ([], ctypes.c_uint64),
    "OpaDestroy": ([ctypes.c_uint64], None),
    "OpaFreeString": ([ctypes.c_void_p], None),
    "OpaAddPolicy": ([ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p], ctypes.c_void_p),
    "OpaAddData": ([ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p], ctypes.c_void_p),
    "OpaEvalDocument": (
        # The engine, a path, an input, coverage, trace.
        [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int],
        ctypes.c_void_p,
    ),
}


def load(path):
    library = ctypes.CDLL(path)
    for name, (arguments, result) in FUNCTIONS.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, result
    return library


def take(library, pointer):
    """The text at a pointer that the library handed over; it is freed."""
    if not pointer:
        raise SystemExit("the library answered nothing")
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        library.OpaFreeString(pointer)


def decide(library, batch):
    engine = library.OpaNew()
    try:
        for number, module in enumerate(batch["modules"]):
            name = b"p%d.rego" % number
            added = take(library, library.OpaAddPolicy(engine, name, module.encode()))
            if "error" in json.loads(added):
                return [added] * len(batch["inputs"])
        for path, text in batch["data"].items():
            added = take(library, library.OpaAddData(engine, path.encode(), text.encode()))
            if "error" in json.loads(added):
                return [added] * len(batch["inputs"])
        path = batch["rule"].encode()
        return [
            take(
                library,
                library.OpaEvalDocument(
                    engine, path, None if text is None else text.encode(), 0, 0
                ),
            )
            for text in batch["inputs"]
        ]
    finally:
        library.OpaDestroy(engine)


def main():
    [_, path] = sys.argv
    library = load(path)
    for line in sys.stdin.buffer:
        answers = decide(library, json.loads(line))
        sys.stdout.buffer.write(json.dumps(answers).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
