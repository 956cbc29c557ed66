"""Walks through the main job with a client made at run time from the server's reflection.

No file of the project is read: services, messages and enums come from the reflection service alone, and the reasons of
what is denied from the details of the status. Says `the walk is done` at the end; anything else is a failure.
"""

import os

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

BOARD = os.environ["PAWL_BOARD"]
CONTENT = "The plant in Lyon has 500 employees."


class Server:
    """Calls methods by name, with messages as dictionaries."""

    def __init__(self, address):
        self.channel = grpc.insecure_channel(address)
        self.database = ProtoReflectionDescriptorDatabase(self.channel)
        self.pool = descriptor_pool.DescriptorPool(self.database)

    def services(self):
        return set(self.database.get_services())

    def enum(self, name, word):
        return self.pool.FindEnumTypeByName(f"pawl.v1.{name}").values_by_name[word].number

    def word(self, name, number):
        return self.pool.FindEnumTypeByName(f"pawl.v1.{name}").values_by_number[number].name

    def call(self, method, who, *requests, **fields):
        service, name = method.split("/")
        described = self.pool.FindServiceByName(f"pawl.v1.{service}").methods_by_name[name]
        make = message_factory.GetMessageClass(described.input_type)
        read = message_factory.GetMessageClass(described.output_type).FromString
        path = f"/pawl.v1.{service}/{name}"
        metadata = [("authorization", f"Bearer {os.environ[who]}")] if who else []
        if described.client_streaming:
            caller = self.channel.stream_unary(path, lambda it: it.SerializeToString(), read)
            return caller((make(**request) for request in requests), metadata=metadata)
        kind = self.channel.unary_stream if described.server_streaming else self.channel.unary_unary
        caller = kind(path, lambda it: it.SerializeToString(), read)
        return caller(make(board=BOARD, **fields), metadata=metadata)


def denied(reason, call):
    """Runs a call that has to be denied and gives the metadata of its reason."""
    try:
        call()
    except grpc.RpcError as error:
        status = rpc_status.from_call(error)
        assert status is not None, f"no details in {error}"
        infos = []
        for detail in status.details:
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info):
                infos.append(info)
        assert len(infos) == 1, infos
        assert (infos[0].domain, infos[0].reason) == ("pawl", reason), infos[0]
        return dict(infos[0].metadata)
    raise AssertionError(f"was not denied for {reason}")


def short(name):
    return name.rsplit("/", 1)[-1]


def main():
    server = Server(os.environ["PAWL_ADDRESS"])
    expected = {"Assertion", "Board", "Conflict", "Identity", "Log", "Seal", "Source"}
    assert {f"pawl.v1.{name}Service" for name in expected} <= server.services(), server.services()

    denied("TOKEN_MISSING", lambda: server.call("BoardService/GetBoard", None))
    start = server.call("BoardService/GetBoard", "ANA").entries

    def upload(text):
        header = {"header": {"board": BOARD, "media_type": "text/plain", "title": "Report"}}
        return short(server.call("SourceService/UploadSource", "ANA", header, {"chunk": text.encode()}, {"end": {}}).name)

    def draft(content, source, quote=None):
        citation = {"source": source, "quote": quote or content}
        return {"module": "market", "content": content, "citations": [citation], "confidence": 0.95}

    source = upload(f"Annual report. {CONTENT}")
    answer = server.call("AssertionService/Submit", "ANA", items=[draft(CONTENT, source)])
    outcome = answer.outcomes[0]
    assert server.word("Verdict", outcome.verdict) == "VERDICT_ACCEPTED", outcome
    fact = short(outcome.assertion)

    invented = draft("The plant in Lyon has 700 employees.", source)
    outcome = server.call("AssertionService/Submit", "ANA", items=[invented]).outcomes[0]
    assert outcome.error.reason == "QUOTE_NOT_FOUND", outcome
    assert "500 employees" in outcome.error.metadata["nearest"], outcome

    rival = "The plant in Lyon has 480 employees."
    other = draft(rival, upload(f"Newspaper. {rival}"))
    outcome = server.call("AssertionService/Check", "BEN", items=[other]).outcomes[0]
    assert server.word("Verdict", outcome.verdict) == "VERDICT_CONTESTED", outcome
    assert short(outcome.findings[0].standing) == fact and outcome.findings[0].exact, outcome

    quote = [{"source": source, "quote": CONTENT}]
    metadata = denied("ROLE_MISSING", lambda: server.call("AssertionService/Validate", "BEN", assertion=fact, evidence=quote))
    assert metadata["role"] == "verifier", metadata
    metadata = denied("SEAL_CONDITIONS", lambda: server.call("SealService/Seal", "ARON", module="market"))
    assert metadata["validated"] == fact, metadata
    server.call("AssertionService/Validate", "VERA", assertion=fact, evidence=quote)
    hard = server.enum("SealMode", "SEAL_MODE_HARD")
    snapshot = server.call("SealService/Seal", "ARON", module="market", mode=hard)
    assert list(snapshot.members) == [fact], snapshot

    outcome = server.call("AssertionService/Submit", "BEN", items=[other]).outcomes[0]
    assert server.word("Verdict", outcome.verdict) == "VERDICT_REFUSED", outcome
    assert outcome.remedies, outcome
    metadata = denied("LOCKED", lambda: server.call("AssertionService/Retract", "ANA", assertion=fact, reason="misread"))
    assert metadata["assertion"] == fact, metadata

    brief = server.call("LogService/GetBrief", "BEN", modules=["market"], token_budget=1000)
    assert [short(it.name) for it in brief.facts] == [fact], brief
    assert CONTENT in brief.text and short(brief.snapshots["market"]) == short(snapshot.name), brief

    # Who watches from a position is told all of it, in order.
    wanted = brief.position - start
    watch = server.call("LogService/Watch", "BEN", **{"from": start})
    records = []
    for message in watch:
        records.extend(message.records)
        if len(records) >= wanted:
            break
    watch.cancel()
    assert [it.position for it in records] == list(range(start, brief.position)), records
    kinds = [it.kind for it in records]
    for kind in ("source_registered", "submitted", "validated", "snapshot_taken", "refused", "conflict_opened"):
        assert kind in kinds, kinds
    ahead = lambda: next(iter(server.call("LogService/Watch", "BEN", **{"from": brief.position + 9})))
    denied("CURSOR_IN_FUTURE", ahead)
    print("the walk is done")


if __name__ == "__main__":
    main()
