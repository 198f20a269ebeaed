package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.grpc.GrpcConnections;
import org.svcmailbox.client.grpc.GrpcMailbox;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.ServiceBuilder;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** {@link StreamedContract} over gRPC. */
@Order(1)
@ContractTest
@Execution(ExecutionMode.CONCURRENT)
class GrpcMailboxIT extends StreamedContract {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final HttpConnections HTTP = HttpConnections.builder().build();

  private final GrpcConnections connections;

  GrpcMailboxIT(MailboxServer server, MailboxClient client) {
    super(client);
    this.connections =
        GrpcConnections.builder(URI.create("http://127.0.0.1:" + server.port(GrpcClient.PORT)))
            .build();
  }

  @AfterEach
  void close() {
    connections.close();
  }

  @Override
  Mailbox<String, String> streamed(
      String name, Codec<String> codec, Consumer<ServiceBuilder<?>> change) {
    GrpcMailbox.Builder<String, String> builder =
        GrpcMailbox.builder(connections, operator, name, codec, codec)
            .administration(client.target().server(), HTTP);
    change.accept(builder);
    return builder.build();
  }

  private Mailbox<String, String> usual(String topic) {
    return streamed(topic, Codecs.utf8(), usual -> {});
  }

  /** The contract's messages are small; this one comes in chunks. */
  @Test
  void aLargeMessageArrivesWhole() {
    String large = "x".repeat(900_000);
    try (Mailbox<String, String> mailbox = usual(TestTopics.fresh("grpc-large"))) {
      mailbox.send(large);
      Message<String, String> message = mailbox.receive(1, LEASE, PATIENCE).get(0);
      assertEquals(large, message.body());
      message.acknowledge();
    }
  }

  /** Four are asked for, one is handed out at a time. */
  @Test
  void closingGivesBackWhatNobodyTook() throws Exception {
    String topic = TestTopics.fresh("grpc-back");
    try (Mailbox<String, String> sender = usual(topic);
        Mailbox<String, String> second = usual(topic)) {
      try (Mailbox<String, String> first = usual(topic)) {
        CompletableFuture<List<Message<String, String>>> received =
            CompletableFuture.supplyAsync(() -> first.receive(4, LEASE, PATIENCE));
        // The stream is open with credit for four: then one comes, and three soon after.
        sender.send(Outgoing.builder("apple 0").group("one").build());
        List<Message<String, String>> held = received.get(20, TimeUnit.SECONDS);
        for (int i = 1; i < 4; i++) {
          sender.send(Outgoing.builder("apple " + i).group("one").build());
        }
        held.forEach(Message::acknowledge);
      }
      for (int i = 1; i < 4; i++) {
        Message<String, String> message = second.receive(1, LEASE, PATIENCE).get(0);
        assertEquals("apple " + i, message.body());
        assertEquals(1, message.deliveryCount());
        message.acknowledge();
      }
    }
  }
}
