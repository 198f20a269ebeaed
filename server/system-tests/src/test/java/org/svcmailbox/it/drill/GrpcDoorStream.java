package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Delivery;
import org.svcmailbox.proto.v1.Envelope;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.Resume;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.proto.v1.SettleOutcome;
import org.svcmailbox.proto.v1.Settled;
import org.svcmailbox.test.history.Event.Verb;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.HistoryRecorder.Call;

/** Over gRPC on a connection of its own; settlements go through the stream. */
final class GrpcDoorStream implements DoorStream, ClientResponseObserver<RecvCommand, RecvEvent> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration OPENING = Duration.ofSeconds(10);
  private static final Duration WHILE = Duration.ofSeconds(1);
  private static final long BYTES = 1L << 30;
  private static final int UNAVAILABLE = Status.Code.UNAVAILABLE.value();

  private final GrpcClient client;
  private final HistoryRecorder recorder;
  private final BlockingQueue<RecvEvent> events = new LinkedBlockingQueue<>();
  private final Map<Long, List<Call<Verb>>> unanswered = new HashMap<>();
  private @Nullable ClientCallStreamObserver<RecvCommand> commands;
  private volatile boolean isOver;
  private String id = "";
  private long last;
  private long settles;

  private GrpcDoorStream(GrpcClient client, HistoryRecorder recorder) {
    this.client = client;
    this.recorder = recorder;
  }

  static DoorStream open(
      MailboxServer server,
      HistoryRecorder recorder,
      String topic,
      Duration visibility,
      int window,
      Map<String, Object> resume)
      throws IOException {
    GrpcDoorStream stream = new GrpcDoorStream(GrpcClient.of(server), recorder);
    Open.Builder open =
        Open.newBuilder().setTopic(topic).setVisibilityMs(visibility.toMillis()).setWindow(window);
    if (!resume.isEmpty()) {
      open.setResume(
          Resume.newBuilder()
              .setStream(String.valueOf(resume.get("stream")))
              .setLast((Long) Objects.requireNonNull(resume.get("last"))));
    }
    try {
      stream.open(open, window);
    } catch (IOException e) {
      stream.close();
      throw e;
    }
    return stream;
  }

  private void open(Open.Builder open, int window) throws IOException {
    var unused =
        MailboxGrpc.newStub(client.channel())
            .withInterceptors(client.asOperator())
            .recvStream(this);
    say(RecvCommand.newBuilder().setOpen(open).build());
    credit(window);
    RecvEvent first = poll(OPENING);
    if (first == null || !first.hasOpened()) {
      throw new IOException("no stream: " + first);
    }
    id = first.getOpened().getStream();
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<RecvCommand> stream) {
    commands = stream;
  }

  private void say(RecvCommand command) {
    ClientCallStreamObserver<RecvCommand> open = Objects.requireNonNull(commands);
    try {
      open.onNext(command);
    } catch (IllegalStateException e) {
      // It has ended meanwhile.
      isOver = true;
    }
  }

  private void credit(int messages) {
    say(
        RecvCommand.newBuilder()
            .setCredit(Credit.newBuilder().setMessages(messages).setBytes(BYTES))
            .build());
  }

  private @Nullable RecvEvent poll(Duration most) throws IOException {
    try {
      Duration step = Duration.ofMillis(50);
      RecvEvent event = null;
      for (Duration left = most; event == null && left.toMillis() > 0; left = left.minus(step)) {
        event = events.poll(step.toMillis(), TimeUnit.MILLISECONDS);
        if (event == null && isOver && events.isEmpty()) {
          throw new IOException("the stream ended");
        }
      }
      return event;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public Optional<Message> next() throws IOException {
    RecvEvent event = poll(WHILE);
    if (event == null) {
      return Optional.empty();
    }
    switch (event.getIsCase()) {
      case DELIVERY -> {
        return Optional.of(message(event.getDelivery()));
      }
      case SETTLED -> settled(event.getSettled());
      case GOODBYE -> throw new IOException("goodbye: " + event.getGoodbye().getReason());
      case OPENED, CHUNK, HEARTBEAT, IS_NOT_SET -> {}
    }
    return Optional.empty();
  }

  private Message message(Delivery delivery) {
    last = delivery.getN();
    credit(1);
    Received received = delivery.getMessage();
    Envelope envelope = received.getEnvelope();
    Timestamp at = envelope.getTs();
    Map<String, Object> fields = new HashMap<>();
    fields.put("msg_id", envelope.getMsgId());
    fields.put("topic", envelope.getTopic());
    fields.put("ts", Instant.ofEpochSecond(at.getSeconds(), at.getNanos()).toString());
    fields.put("idem_key", envelope.getIdemKey());
    fields.put("payload_hash", envelope.getPayloadHash());
    fields.put("hash_chain", envelope.getHashChain());
    fields.put("attrs", envelope.getAttrsMap());
    fields.put("shard", envelope.getShard());
    fields.put("seq", envelope.getSeq());
    fields.put("attempt", envelope.getAttempt());
    fields.put("receipt", received.getReceipt());
    fields.put("payload", received.getPayload().toByteArray());
    JsonNode json = JSON.valueToTree(fields);
    return new Message(json);
  }

  private void settled(Settled settled) {
    List<Call<Verb>> calls = unanswered.remove(settled.getId());
    for (int i = 0; calls != null && i < calls.size(); i++) {
      SettleOutcome outcome = settled.getOutcomes(i);
      if (outcome.hasDone()) {
        calls.get(i).ok(Verb.ACK);
      } else if (outcome.getRefused().getCode() == UNAVAILABLE) {
        calls.get(i).unknown();
      } else {
        calls.get(i).fail();
      }
    }
  }

  private void settle(Settle.Builder settle, List<Call<Verb>> calls) {
    long number = ++settles;
    unanswered.put(number, calls);
    say(RecvCommand.newBuilder().setSettle(settle.setId(number)).build());
  }

  @Override
  public void ack(List<Message> messages) {
    Settle.Builder settle = Settle.newBuilder();
    messages.forEach(
        one -> settle.addAcks(Ack.newBuilder().setMsgId(one.msgId()).setReceipt(one.receipt())));
    settle(settle, messages.stream().map(one -> recorder.ack(one.msgId(), one.receipt())).toList());
  }

  @Override
  public void nack(Message message, Fields how) {
    Nack nack =
        Nack.newBuilder()
            .setMsgId(message.msgId())
            .setReceipt(message.receipt())
            .setReason("refused by the test")
            .build();
    settle(
        Settle.newBuilder().addNacks(nack),
        List.of(recorder.nack(message.msgId(), message.receipt())));
  }

  @Override
  public void extend(Message message, Duration visibility) {
    Extend extend =
        Extend.newBuilder()
            .setMsgId(message.msgId())
            .setReceipt(message.receipt())
            .setVisibilityMs(visibility.toMillis())
            .build();
    settle(
        Settle.newBuilder().addExtends(extend),
        List.of(recorder.extend(message.msgId(), message.receipt(), visibility)));
  }

  @Override
  public Map<String, Object> resume() {
    return Map.of("stream", id, "last", last);
  }

  @Override
  public void onNext(RecvEvent event) {
    events.add(event);
  }

  @Override
  public void onError(Throwable failure) {
    isOver = true;
  }

  @Override
  public void onCompleted() {
    isOver = true;
  }

  /** Settlements without an answer may be done. */
  @Override
  public void close() {
    client.close();
    unanswered.values().forEach(calls -> calls.forEach(Call::unknown));
    unanswered.clear();
  }
}
