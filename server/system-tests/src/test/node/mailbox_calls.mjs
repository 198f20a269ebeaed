// Calls the gRPC door with npm's @grpc/grpc-js: PORT TOKEN_FILE DESCRIPTORS TOPIC.
//
// DESCRIPTORS is a FileDescriptorSet with all files in order. Ends with 0 if every answer is right.
// The calls are those of ../python/mailbox_calls.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [port, tokenFile, descriptors, topic] = process.argv.slice(2);
const definitions = loader.loadFileDescriptorSetFromBuffer(readFileSync(descriptors), {
  keepCase: true,
  longs: Number,
  enums: String,
  defaults: true,
  arrays: true,
  oneofs: true,
});
const services = grpc.loadPackageDefinition(definitions);
const insecure = grpc.credentials.createInsecure();
const address = "127.0.0.1:" + port;
const mailbox = new services.mailbox.v1.Mailbox(address, insecure);
const health = new services.grpc.health.v1.Health(address, insecure);
const operator = new grpc.Metadata();
operator.set("authorization", "Bearer " + readFileSync(tokenFile, "utf8").trim());

function call(method, request, metadata = operator, client = mailbox) {
  return new Promise((resolve, reject) => {
    client[method](request, metadata, { deadline: Date.now() + 30_000 }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

/** The problem of a refused call. */
async function refused(method, request, code, metadata = operator) {
  const error = await call(method, request, metadata).then(
    (answer) => assert.fail(JSON.stringify(answer)),
    (failure) => failure,
  );
  assert.equal(error.code, code, error.message);
  const [details] = error.metadata.get("grpc-status-details-bin");
  const status = definitions["google.rpc.Status"].deserialize(details);
  const problem = status.details.find((detail) => detail.type_url.endsWith("/mailbox.v1.Problem"));
  return definitions["mailbox.v1.Problem"].deserialize(problem.value);
}

const bytes = (key) => Buffer.concat([Buffer.from([0, 255]), Buffer.from(key)]);
const send = (to, key, more = {}) => ({ topic: to, idem_key: key, payload: bytes(key), ...more });
const flip = { payload_hash: "b3:" + "0".repeat(64) };

// Of a file that is only described, a map is a list of entries.
const first = send(topic, "one", { attrs: [{ key: "a", value: "\u00e4" }] });
const sent = await call("Send", first);
assert.equal(sent.duplicate, false);
assert.deepEqual(await call("Send", first), { msg_id: sent.msg_id, duplicate: true });
const other = { topic, idem_key: "one", payload: Buffer.from("other") };
assert.equal((await refused("Send", other, grpc.status.ALREADY_EXISTS)).msg_id, sent.msg_id);
const flipped = await refused("Send", send(topic, "two", flip), grpc.status.INVALID_ARGUMENT);
assert.equal(flipped.code, "E_INTEGRITY");
const wrong = await refused("Send", { topic: "a b" }, grpc.status.INVALID_ARGUMENT);
assert.deepEqual(wrong.errors.map((error) => error.field).sort(), ["idem_key", "topic"]);
const nobody = new grpc.Metadata();
const unknown = await refused("Send", send(topic, "two"), grpc.status.UNAUTHENTICATED, nobody);
assert.equal(unknown.reason, "missing");

const batch = await call("SendBatch", { messages: [send(topic, "two"), other] });
assert.equal(batch.outcomes[0].is, "sent");
assert.equal(batch.outcomes[1].refused.code, grpc.status.ALREADY_EXISTS);

const { messages } = await call("Recv", { topic, max_messages: 10, wait_ms: 5000 });
assert.ok(messages.length > 0);
for (const message of messages) {
  assert.ok(["one", "two"].some((key) => bytes(key).equals(message.payload)), message);
}
const { envelope, receipt } = messages[0];
assert.equal(envelope.attempt, 1);
assert.ok(envelope.ts.seconds > 0);
const leased = { msg_id: envelope.msg_id, receipt };
const extended = await call("Extend", { extends: [{ ...leased, visibility_ms: 10_000 }] });
assert.equal(extended.outcomes[0].is, "done");
const nacked = await call("Nack", { nacks: [{ ...leased, reason: "again", delay_ms: 0 }] });
assert.equal(nacked.outcomes[0].is, "done");
const stale = await call("Ack", { acks: [leased] });
assert.equal(stale.outcomes[0].refused.code, grpc.status.FAILED_PRECONDITION);

assert.equal((await call("Check", {}, nobody, health)).status, "SERVING");

const soon = () => ({ deadline: Date.now() + 60_000 });
const streamed = topic + ".streams";
const large = Buffer.from(Array.from({ length: 102_400 }, (_, index) => index % 256));

async function all(stream) {
  const answers = [];
  for await (const answer of stream) {
    answers.push(answer);
  }
  return answers;
}

const frames = mailbox.SendStream(operator, soon());
for (const frame of [
  { id: 1, message: send(streamed, "first") },
  { id: 2, batch: { messages: [send(streamed, "second"), send(streamed, "third")] } },
  { id: 3, head: { message: { topic: streamed, idem_key: "large" }, size: large.length } },
  { id: 3, chunk: { data: large.subarray(0, 65_536) } },
  { id: 3, chunk: { data: large.subarray(65_536), last: true } },
  { id: 4, message: send(streamed, "flipped", flip) },
]) {
  frames.write(frame);
}
frames.end();
const results = Object.fromEntries((await all(frames)).map(({ id, outcomes }) => [id, outcomes]));
assert.deepEqual(
  Object.values(results).map((outcomes) => outcomes.length),
  [1, 2, 1, 1],
);
for (const id of [1, 2, 3]) {
  assert.ok(results[id].every((outcome) => outcome.is === "sent"), results[id]);
}
assert.equal(results[4][0].refused.code, grpc.status.INVALID_ARGUMENT);

const senseless = mailbox.SendStream(operator, soon());
senseless.write({ id: 1, chunk: { data: Buffer.from("x"), last: true } });
await assert.rejects(all(senseless), { code: grpc.status.INVALID_ARGUMENT });

const commands = mailbox.RecvStream(operator, soon());
commands.write({ open: { topic: streamed, visibility_ms: 30_000, window: 10 } });
commands.write({ credit: { messages: 10, bytes: 1 << 20 } });
const payloads = {};
const reasons = [];
let settled = 0;
let arriving;

function take(delivery) {
  const { envelope: of, receipt: lease } = delivery.message;
  payloads[of.idem_key] = delivery.message.payload;
  commands.write({ settle: { id: delivery.n, acks: [{ msg_id: of.msg_id, receipt: lease }] } });
}

for await (const event of commands) {
  if (event.is === "opened") {
    assert.equal(event.opened.window, 10);
  } else if (event.is === "delivery") {
    assert.equal(event.delivery.message.envelope.attempt, 1);
    arriving = event.delivery;
    if (arriving.chunked_size === 0) {
      take(arriving);
    }
  } else if (event.is === "chunk") {
    assert.ok(event.chunk.data.length > 0 && event.chunk.data.length <= 65_536);
    const { message } = arriving;
    message.payload = Buffer.concat([message.payload, event.chunk.data]);
    assert.equal(event.chunk.last, message.payload.length === arriving.chunked_size);
    if (event.chunk.last) {
      take(arriving);
    }
  } else if (event.is === "settled") {
    assert.equal(event.settled.outcomes[0].is, "done");
    settled++;
    if (settled === 4) {
      commands.end();
    }
  } else if (event.is === "goodbye") {
    reasons.push(event.goodbye.reason);
  }
}
assert.deepEqual(reasons, ["closed"]);
assert.deepEqual(payloads, {
  ...Object.fromEntries(["first", "second", "third"].map((key) => [key, bytes(key)])),
  large,
});
mailbox.close();
health.close();
console.log("every answer is right");
