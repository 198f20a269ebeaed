"""Calls the gRPC door with Debian's python3-grpcio: PORT TOKEN_FILE DESCRIPTORS TOPIC.

DESCRIPTORS is a FileDescriptorSet with all files in order. Ends with 0 if every answer is right.
"""
import queue
import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

port, token_file, descriptors, topic = sys.argv[1:]
pool = descriptor_pool.DescriptorPool()
with open(descriptors, "rb") as file:
    for description in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        pool.Add(description)
factory = message_factory.MessageFactory(pool)


def message(name):
    return factory.GetPrototype(pool.FindMessageTypeByName(name))


with open(token_file) as file:
    metadata = (("authorization", "Bearer " + file.read().strip()),)
channel = grpc.insecure_channel("127.0.0.1:" + port)
service = pool.FindServiceByName("mailbox.v1.Mailbox")


def call(method, request, credentials=metadata):
    described = service.methods_by_name[method]
    answer = factory.GetPrototype(described.output_type)
    stub = channel.unary_unary(
        "/mailbox.v1.Mailbox/" + method,
        request_serializer=lambda sent: sent.SerializeToString(),
        response_deserializer=answer.FromString,
    )
    return stub(request, timeout=30, metadata=credentials)


def refused(method, request, code, credentials=metadata):
    try:
        answer = call(method, request, credentials)
    except grpc.RpcError as error:
        assert error.code() == code, error
        details = dict(error.trailing_metadata())["grpc-status-details-bin"]
        status = message("google.rpc.Status").FromString(details)
        problem = message("mailbox.v1.Problem")()
        assert any(detail.Unpack(problem) for detail in status.details), status
        return problem
    raise AssertionError(answer)


v1 = {name: message("mailbox.v1." + name) for name in (
    "SendRequest", "SendBatchRequest", "RecvRequest", "Ack", "AckBatch", "NackBatch", "Nack", "Extend", "ExtendBatch")}


def send(key, **more):
    return v1["SendRequest"](topic=topic, idem_key=key, payload=b"\x00\xff" + key.encode(), **more)


sent = call("Send", send("one", attrs={"a": "\u00e4"}))
assert not sent.duplicate
assert call("Send", send("one", attrs={"a": "\u00e4"})) == type(sent)(msg_id=sent.msg_id, duplicate=True)
other = v1["SendRequest"](topic=topic, idem_key="one", payload=b"other")
assert refused("Send", other, grpc.StatusCode.ALREADY_EXISTS).msg_id == sent.msg_id
flipped = send("two", payload_hash="b3:" + 64 * "0")
assert refused("Send", flipped, grpc.StatusCode.INVALID_ARGUMENT).code == "E_INTEGRITY"
wrong = refused("Send", v1["SendRequest"](topic="a b"), grpc.StatusCode.INVALID_ARGUMENT)
assert sorted(error.field for error in wrong.errors) == ["idem_key", "topic"], wrong
assert refused("Send", send("two"), grpc.StatusCode.UNAUTHENTICATED, ()).reason == "missing"

batch = call("SendBatch", v1["SendBatchRequest"](messages=[send("two"), other]))
assert batch.outcomes[0].HasField("sent") and batch.outcomes[1].refused.code == 6, batch

messages = call("Recv", v1["RecvRequest"](topic=topic, max_messages=10, wait_ms=5000)).messages
assert {received.payload for received in messages} <= {b"\x00\xffone", b"\x00\xfftwo"} and messages, messages
first = messages[0]
assert first.envelope.attempt == 1 and first.envelope.ts.seconds > 0, first
extended = call("Extend", v1["ExtendBatch"](extends=[
    v1["Extend"](msg_id=first.envelope.msg_id, receipt=first.receipt, visibility_ms=10000)]))
assert extended.outcomes[0].HasField("done"), extended
nacked = call("Nack", v1["NackBatch"](nacks=[
    v1["Nack"](msg_id=first.envelope.msg_id, receipt=first.receipt, reason="again", delay_ms=0)]))
assert nacked.outcomes[0].HasField("done"), nacked
stale = call("Ack", v1["AckBatch"](acks=[v1["Ack"](msg_id=first.envelope.msg_id, receipt=first.receipt)]))
assert stale.outcomes[0].refused.code == 9, stale

health = channel.unary_unary(
    "/grpc.health.v1.Health/Check",
    request_serializer=lambda sent: sent.SerializeToString(),
    response_deserializer=message("grpc.health.v1.HealthCheckResponse").FromString,
)
assert health(message("grpc.health.v1.HealthCheckRequest")(), timeout=30).status == 1


def stream(method, requests):
    described = service.methods_by_name[method]
    stub = channel.stream_stream(
        "/mailbox.v1.Mailbox/" + method,
        request_serializer=lambda sent: sent.SerializeToString(),
        response_deserializer=factory.GetPrototype(described.output_type).FromString,
    )
    return stub(iter(requests.get, None), timeout=60, metadata=metadata)


streams = {name: message("mailbox.v1." + name) for name in (
    "SendFrame", "SendHead", "Chunk", "RecvCommand", "Open", "Credit", "Settle")}
topic += ".streams"
large = bytes(range(256)) * 400
frames = queue.Queue()
for frame in (
    {"id": 1, "message": send("first")},
    {"id": 2, "batch": v1["SendBatchRequest"](messages=[send("second"), send("third")])},
    {"id": 3, "head": streams["SendHead"](
        message=v1["SendRequest"](topic=topic, idem_key="large"), size=len(large))},
    {"id": 3, "chunk": streams["Chunk"](data=large[:65536])},
    {"id": 3, "chunk": streams["Chunk"](data=large[65536:], last=True)},
    {"id": 4, "message": send("flipped", payload_hash="b3:" + 64 * "0")},
):
    frames.put(streams["SendFrame"](**frame))
frames.put(None)
results = {result.id: result.outcomes for result in stream("SendStream", frames)}
assert {id: len(outcomes) for id, outcomes in results.items()} == {1: 1, 2: 2, 3: 1, 4: 1}, results
assert all(outcome.HasField("sent") for id in (1, 2, 3) for outcome in results[id]), results
assert results[4][0].refused.code == 3, results

frames = queue.Queue()
frames.put(streams["SendFrame"](id=1, chunk=streams["Chunk"](data=b"x", last=True)))
try:
    raise AssertionError(list(stream("SendStream", frames)))
except grpc.RpcError as error:
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
finally:
    frames.put(None)

commands = queue.Queue()
commands.put(streams["RecvCommand"](open=streams["Open"](topic=topic, visibility_ms=30000, window=10)))
commands.put(streams["RecvCommand"](credit=streams["Credit"](messages=10, bytes=1 << 20)))
events = stream("RecvStream", commands)
assert next(events).opened.window == 10
payloads, settled = {}, {}
while len(settled) < 4:
    event = next(events)
    if event.HasField("settled"):
        settled[event.settled.id] = event.settled.outcomes
    elif event.HasField("delivery"):
        delivery, payload = event.delivery, event.delivery.message.payload
        assert delivery.n == len(payloads) + 1 and delivery.message.envelope.attempt == 1, event
        while len(payload) < delivery.chunked_size:
            event = next(events)
            if event.HasField("settled"):
                settled[event.settled.id] = event.settled.outcomes
                continue
            assert 0 < len(event.chunk.data) <= 65536, event
            payload += event.chunk.data
            assert event.chunk.last == (len(payload) == delivery.chunked_size), event
        payloads[delivery.message.envelope.idem_key] = payload
        commands.put(streams["RecvCommand"](settle=streams["Settle"](id=delivery.n, acks=[
            v1["Ack"](msg_id=delivery.message.envelope.msg_id, receipt=delivery.message.receipt)])))
assert all(outcomes[0].HasField("done") for outcomes in settled.values()), settled
assert payloads == {"large": large, **{key: b"\x00\xff" + key.encode() for key in (
    "first", "second", "third")}}, payloads.keys()
commands.put(None)
last = list(events)
assert [event.goodbye.reason for event in last] == ["closed"], last
print("every answer is right")
