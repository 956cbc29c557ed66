"""Converts a SentencePiece vocabulary into the files that the `tokenizers` library and embedding libraries read.

Used by `convert_model.py`. Needs the standard library alone, and runs no code from the package the vocabulary is in.
"""

import base64
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Embedding libraries cut a text at this many pieces unless they are told otherwise.
MAXIMUM_PIECES = 512
UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
WORD_START = "\u2581"


def write_tokenizer(vocabulary: bytes, embedding_width: int, output: Path) -> None:
    """Writes `tokenizer.json` and the three small files that embedding libraries read beside it."""
    special = {"pad_token": UNKNOWN, "unk_token": UNKNOWN, "bos_token": BEGIN, "eos_token": END}
    files: dict[str, Any] = {
        "tokenizer.json": tokenizer(vocabulary),
        "config.json": {"model_type": "use-multilingual-v3", "hidden_size": embedding_width, "pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": MAXIMUM_PIECES, **special},
        "special_tokens_map.json": special,
    }
    for name, content in files.items():
        (output / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def tokenizer(vocabulary: bytes) -> dict[str, Any]:
    """Builds the tokenizer's description: normalise, split into pieces, frame with begin and end."""
    pieces, character_map = read_vocabulary(vocabulary)
    metaspace = {"type": "Metaspace", "replacement": WORD_START, "prepend_scheme": "always", "split": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added_token(index, pieces[index][0]) for index in range(3)],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(character_map).decode()},
                {"type": "Strip", "strip_left": True, "strip_right": True},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": metaspace,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [special_token(BEGIN), sequence("A"), special_token(END)],
            "pair": [sequence("A"), sequence("B")],
            "special_tokens": {
                BEGIN: {"id": BEGIN, "ids": [1], "tokens": [BEGIN]},
                END: {"id": END, "ids": [2], "tokens": [END]},
            },
        },
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False},
    }


def added_token(index: int, content: str) -> dict[str, Any]:
    """Describes one of the pieces that stand for no text."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": index, "content": content, **flags}


def special_token(content: str) -> dict[str, Any]:
    """Describes a place in the template that holds a special piece."""
    return {"SpecialToken": {"id": content, "type_id": 0}}


def sequence(name: str) -> dict[str, Any]:
    """Describes a place in the template that holds a text."""
    return {"Sequence": {"id": name, "type_id": 0}}


def read_vocabulary(model: bytes) -> tuple[list[tuple[str, float]], bytes]:
    """Returns the pieces with their scores, and the precompiled character map.

    In this model's older SentencePiece layout field 1 repeats the pieces (1: text, 2: score) and field 3 holds the
    normaliser (2: character map).
    """
    pieces: list[tuple[str, float]] = []
    character_map = b""
    for number, value in protobuf_fields(model):
        if number == 1:
            piece = dict(protobuf_fields(value))
            (score,) = struct.unpack("<f", piece.get(2, bytes(4)))
            pieces.append((piece[1].decode("utf-8"), score))
        elif number == 3:
            character_map = dict(protobuf_fields(value)).get(2, b"")
    return pieces, character_map


def protobuf_fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the fields of a protobuf message that hold bytes or fixed-width numbers; varints are passed over.

    Source: the protobuf encoding guide, wire types 0, 1, 2 and 5.
    """
    position = 0
    while position < len(data):
        key, position = read_varint(data, position)
        number, wire_type = key >> 3, key & 7
        if wire_type == 0:
            _, position = read_varint(data, position)
            continue
        if wire_type == 2:
            length, position = read_varint(data, position)
        elif wire_type in (1, 5):
            length = 8 if wire_type == 1 else 4
        else:
            raise ValueError(f"wire type {wire_type} at byte {position} of the vocabulary is not known")
        yield number, data[position : position + length]
        position += length


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """Returns a variable-length number and the position after it."""
    value = shift = 0
    while True:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return value, position
