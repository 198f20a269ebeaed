package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.Settle;

/** Streams of both doors that acknowledge whatever comes. Thread-safe. */
final class ManyStreams implements AutoCloseable {
  private static final int WINDOW = 10;
  private static final long BYTES = 1L << 40;

  /** A connection takes 128 calls. */
  private static final int OF_A_CONNECTION = 100;

  private final MailboxServer server;
  private final MailboxClient client;
  private final List<MessageStream> lines = new ArrayList<>();
  private final List<GrpcClient> connections = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Set<String> keys = ConcurrentHashMap.newKeySet();
  private final LongAdder again = new LongAdder();
  private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
  private volatile boolean isClosing;

  ManyStreams(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  /** How many messages came, each counted once. */
  int received() {
    return keys.size();
  }

  /** How often a message came that had come before, or had spent an attempt. */
  long again() {
    return again.sum();
  }

  /** Streams that ended, and settlements that were refused. */
  List<String> surprises() {
    return surprises.stream().toList();
  }

  /** Opens a stream in JSON lines, with a thread that reads it. */
  void addLines(String topic) throws IOException {
    Fields request = Fields.of("topic", topic).with("window", WINDOW);
    MessageStream stream = MessageStream.open(server.target(), request);
    stream.next("open");
    lines.add(stream);
    Thread thread = new Thread(null, () -> read(stream), "lines-" + lines.size(), 1 << 18);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void read(MessageStream stream) {
    try {
      for (JsonNode line = stream.next(); line != null; line = stream.next()) {
        if (line.path("type").asText().equals("message")) {
          Message message = new Message(line.path("message"));
          came(message.idemKey(), message.attempt());
          String answer = client.ackBatch(List.of(message)).expect(200).text();
          if (answer.contains("\"error\"")) {
            surprises.add(answer);
          }
        } else if (line.path("type").asText().equals("end")) {
          surprises.add("ended: " + line);
        }
      }
      throw new IOException("cut");
    } catch (IOException | AssertionError e) {
      if (!isClosing) {
        surprises.add("lines: " + e);
      }
    }
  }

  private void came(String key, int attempt) {
    if (!keys.add(key) || attempt > 1) {
      again.increment();
    }
  }

  /** Opens a RecvStream, on a connection with others. */
  void addCall(String topic, int number) throws IOException {
    if (number % OF_A_CONNECTION == 0) {
      connections.add(GrpcClient.of(server));
    }
    GrpcClient connection = connections.get(connections.size() - 1);
    new Stream().open(connection, topic);
  }

  private final class Stream implements ClientResponseObserver<RecvCommand, RecvEvent> {
    private @Nullable ClientCallStreamObserver<RecvCommand> commands;
    private long settles;

    void open(GrpcClient connection, String topic) {
      var unused =
          MailboxGrpc.newStub(connection.channel())
              .withInterceptors(connection.asOperator())
              .recvStream(this);
      say(
          RecvCommand.newBuilder()
              .setOpen(Open.newBuilder().setTopic(topic).setWindow(WINDOW))
              .build());
      credit(WINDOW);
    }

    private void credit(int messages) {
      say(
          RecvCommand.newBuilder()
              .setCredit(Credit.newBuilder().setMessages(messages).setBytes(BYTES))
              .build());
    }

    private synchronized void say(RecvCommand command) {
      Objects.requireNonNull(commands).onNext(command);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<RecvCommand> stream) {
      commands = stream;
    }

    @Override
    public void onNext(RecvEvent event) {
      switch (event.getIsCase()) {
        case DELIVERY -> ack(event.getDelivery().getMessage());
        case SETTLED -> {
          if (!event.getSettled().getOutcomes(0).hasDone()) {
            surprises.add("refused: " + event);
          }
        }
        case GOODBYE, CHUNK, IS_NOT_SET -> surprises.add("unexpected: " + event);
        case OPENED, HEARTBEAT -> {}
      }
    }

    private void ack(Received message) {
      came(message.getEnvelope().getIdemKey(), message.getEnvelope().getAttempt());
      Ack ack =
          Ack.newBuilder()
              .setMsgId(message.getEnvelope().getMsgId())
              .setReceipt(message.getReceipt())
              .build();
      say(
          RecvCommand.newBuilder()
              .setSettle(Settle.newBuilder().setId(++settles).addAcks(ack))
              .build());
      credit(1);
    }

    @Override
    public void onError(Throwable failure) {
      if (!isClosing) {
        surprises.add("call: " + failure);
      }
    }

    @Override
    public void onCompleted() {
      if (!isClosing) {
        surprises.add("a call is complete");
      }
    }
  }

  @Override
  public void close() throws IOException {
    isClosing = true;
    connections.forEach(GrpcClient::close);
    for (MessageStream one : lines) {
      one.close();
    }
  }
}
