package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.Answers;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.ProxyProcess;
import org.svcmailbox.it.server.ProxyProcess.Kind;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.proto.v1.Settle;

/** The gRPC door behind Debian's nginx, with the time limits that it comes with. */
@ContractTest
class GrpcProxyIT {
  private static final Duration IDLE = Duration.ofMinutes(5);

  private static final int HEARTBEATS_PER_CREDIT = 3;

  private static final String CONFIGURATION =
      """
      listen 127.0.0.1:%d http2;
      location / {
        grpc_pass grpc://127.0.0.1:%d;
      }
      """;

  private final MailboxServer server;
  private final String topic = TestTopics.fresh("grpc-proxy");

  @TempDir private Path directory;

  GrpcProxyIT(MailboxServer server) {
    this.server = server;
  }

  private interface Use {
    void with(GrpcClient client) throws Exception;
  }

  private void behindNginx(Use use) throws Exception {
    int door = server.port(GrpcClient.PORT);
    try (ProxyProcess nginx =
            ProxyProcess.start(Kind.NGINX, directory, port -> CONFIGURATION.formatted(port, door));
        GrpcClient client = GrpcClient.through(nginx.port(), server)) {
      use.with(client);
    }
  }

  private StreamObserver<RecvCommand> open(GrpcClient client, Answers<RecvEvent> events)
      throws InterruptedException {
    var commands = client.streams().recvStream(events);
    commands.onNext(
        RecvCommand.newBuilder()
            .setOpen(Open.newBuilder().setTopic(topic).setVisibilityMs(60_000))
            .build());
    commands.onNext(credit(2));
    assertTrue(events.next().hasOpened());
    return commands;
  }

  private static RecvCommand credit(int messages) {
    return RecvCommand.newBuilder()
        .setCredit(Credit.newBuilder().setMessages(messages).setBytes(messages))
        .build();
  }

  private void assertServed(
      GrpcClient client, StreamObserver<RecvCommand> commands, Answers<RecvEvent> events)
      throws Exception {
    Sent sent =
        client.mailbox().send(SendRequest.newBuilder().setTopic(topic).setIdemKey("key").build());
    RecvEvent event = events.next();
    while (event.hasHeartbeat()) {
      event = events.next();
    }
    Received received = event.getDelivery().getMessage();
    assertEquals(sent.getMsgId(), received.getEnvelope().getMsgId());
    Ack.Builder ack = Ack.newBuilder().setMsgId(sent.getMsgId()).setReceipt(received.getReceipt());
    commands.onNext(
        RecvCommand.newBuilder().setSettle(Settle.newBuilder().setId(1).addAcks(ack)).build());
    assertTrue(events.next().getSettled().getOutcomes(0).hasDone());
    commands.onCompleted();
    assertEquals("closed", events.next().getGoodbye().getReason());
    assertTrue(events.end().isOk());
  }

  @Test
  void deliveriesAndSettlementsPassAsTheyCome() throws Exception {
    behindNginx(
        client -> {
          Answers<RecvEvent> events = new Answers<>();
          assertServed(client, open(client, events), events);
        });
  }

  /** The client gives a credit of nothing now and then, and nothing is sent. */
  @Test
  @Tag("nightly")
  void anIdleStreamOutlastsTheProxysLimits() throws Exception {
    behindNginx(
        client -> {
          Answers<RecvEvent> events = new Answers<>();
          var commands = open(client, events);
          long until = System.nanoTime() + IDLE.toNanos();
          for (int i = 1; System.nanoTime() - until < 0; i++) {
            assertTrue(events.next().hasHeartbeat());
            if (i % HEARTBEATS_PER_CREDIT == 0) {
              commands.onNext(credit(0));
            }
          }
          assertServed(client, commands, events);
        });
  }
}
