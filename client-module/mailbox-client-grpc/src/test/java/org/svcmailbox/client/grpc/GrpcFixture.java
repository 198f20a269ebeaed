package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.TokenSource;

/** A mailbox over gRPC and the door that it talks to. */
abstract class GrpcFixture {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration WAIT = Duration.ofSeconds(15);

  final ScriptedDoor door = new ScriptedDoor();
  final GrpcConnections connections = GrpcConnections.builder(door.uri()).build();
  private final ExecutorService receivers = Executors.newCachedThreadPool();
  private final List<GrpcMailbox<String, String>> opened = new ArrayList<>();

  @AfterEach
  void closeAll() {
    receivers.shutdownNow();
    opened.forEach(GrpcMailbox::close);
    connections.close();
    door.close();
  }

  static GrpcMailbox.Builder<String, String> builder(GrpcConnections over) {
    return GrpcMailbox.builder(
            over, TokenSource.of("token"), ScriptedDoor.TOPIC, Codecs.utf8(), Codecs.utf8())
        .random(() -> 0.1)
        .callTimeout(Duration.ofSeconds(5));
  }

  GrpcMailbox<String, String> opened(GrpcMailbox.Builder<String, String> builder) {
    GrpcMailbox<String, String> mailbox = builder.build();
    opened.add(mailbox);
    return mailbox;
  }

  GrpcMailbox<String, String> mailbox() {
    return opened(builder(connections));
  }

  /** A receive on a thread of its own. */
  CompletableFuture<List<Message<String, String>>> receive(
      GrpcMailbox<String, String> mailbox, int max) {
    return CompletableFuture.supplyAsync(() -> mailbox.receive(max, LEASE, WAIT), receivers);
  }

  static Message<String, String> one(CompletableFuture<List<Message<String, String>>> received)
      throws Exception {
    List<Message<String, String>> messages = received.get(20, TimeUnit.SECONDS);
    assertEquals(1, messages.size());
    return messages.get(0);
  }

  /** A call on a thread of its own. */
  CompletableFuture<Void> run(Runnable call) {
    return CompletableFuture.runAsync(call, receivers);
  }
}
