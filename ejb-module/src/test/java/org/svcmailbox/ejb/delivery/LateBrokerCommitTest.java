package org.svcmailbox.ejb.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Mailbox;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.HoldingProxy;

/** The broker commits a batch after its link has given up waiting for that. */
@ExtendWith(Brokers.Lender.class)
final class LateBrokerCommitTest {
  private static final ShardId SHARD = new ShardId(MailboxOnArtemis.TOPIC, 0);
  private static final long CALL_TIMEOUT_MILLIS = 500;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Set<MsgId> received = new HashSet<>();
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void aCommitThatTheJournalDelaysIsNotTakenForOneThatNeverWas() {
    ServerLocator locator = fixture.artemis().locator();
    try (ArtemisBroker broker = broker(locator, /* direct= */ true);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker)) {
      assertInstanceOf(SendOutcome.Accepted.class, mailbox.send("first"));
      List<ServerSession> stalled = workers();
      stalled.forEach(session -> session.getSessionContext().storeLineUp());

      aLateCommitIsFound(
          mailbox, () -> stalled.forEach(session -> session.getSessionContext().done()));
    }
  }

  @Test
  void aCommitThatTheNetworkDelaysIsNotTakenForOneThatNeverWas() throws Exception {
    int port = freePort();
    fixture
        .artemis()
        .server()
        .getRemotingService()
        .createAcceptor("tcp", "tcp://127.0.0.1:" + port)
        .start();
    try (HoldingProxy proxy = new HoldingProxy(port);
        ArtemisBroker broker = broker(locator(proxy.port()), /* direct= */ false);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker)) {
      assertInstanceOf(SendOutcome.Accepted.class, mailbox.send("first"));
      proxy.hold();

      aLateCommitIsFound(
          mailbox,
          () -> {
            proxy.release();
            Deadline.in(SOON)
                .await(() -> fixture.count(QueueNames.of(SHARD)) >= 2, () -> "the late commit");
            proxy.passEnds();
          });
    } finally {
      fixture.artemis().server().getRemotingService().destroyAcceptor("tcp");
    }
  }

  private void aLateCommitIsFound(MailboxOnArtemis mailbox, Runnable release) {
    boolean released = false;
    try {
      Refusal givenUp = assertInstanceOf(Refusal.class, mailbox.send("late"));
      assertEquals("broker_away", givenUp.reason());
      Deadline.in(SOON).await(mailbox.mailbox()::isHealthy, () -> "the next session");
      Set<String> reasons = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        if (mailbox.send("late") instanceof Refusal refusal) {
          reasons.add(refusal.reason());
        }
      }
      assertEquals(Set.of("settling"), reasons);
      receives(mailbox.mailbox(), 1);

      released = true;
      release.run();
      SendOutcome[] repeated = new SendOutcome[1];
      Deadline.in(SOON)
          .await(
              () -> {
                repeated[0] = mailbox.send("late");
                return repeated[0] instanceof SendOutcome.Accepted;
              },
              () -> "an outcome, but " + repeated[0]);
      assertEquals(
          true, assertInstanceOf(SendOutcome.Accepted.class, repeated[0]).duplicate(), "its key");
      assertInstanceOf(SendOutcome.Accepted.class, mailbox.send("next"));
      checkLedger(mailbox, receives(mailbox.mailbox(), 2));
    } finally {
      if (!released) {
        release.run();
      }
    }
  }

  /** Receives so many messages that were not received before, and no other. */
  private Set<MsgId> receives(Mailbox mailbox, int count) {
    int wanted = received.size() + count;
    Deadline.in(SOON)
        .await(
            () -> {
              RecvRequest request =
                  new RecvRequest(
                      MailboxOnArtemis.TOPIC,
                      Duration.ofHours(1),
                      100,
                      Long.MAX_VALUE,
                      Duration.ZERO,
                      null);
              RecvOutcome outcome =
                  mailbox
                      .recv(SampleCallers.OPERATOR, request)
                      .outcome()
                      .toCompletableFuture()
                      .join();
              if (outcome instanceof RecvOutcome.Delivered delivered) {
                delivered
                    .messages()
                    .forEach(leased -> received.add(leased.message().envelope().msgId()));
              }
              return received.size() >= wanted;
            },
            () -> wanted + " messages, but there are " + received.size());
    assertEquals(wanted, received.size(), "delivered twice");
    return Set.copyOf(received);
  }

  private static void checkLedger(MailboxOnArtemis mailbox, Set<MsgId> delivered) {
    List<LedgerEntry> entries = mailbox.log().ledger(1, SHARD.index(), 1, 100);
    assertEquals(
        new LedgerVerdict.Intact(entries.size()), LedgerVerdict.check(LedgerHead.EMPTY, entries));
    assertEquals(
        delivered, entries.stream().map(LedgerEntry::msgId).collect(Collectors.toSet()), "ledger");
  }

  /** The broker's side of the workers' sessions. */
  private List<ServerSession> workers() {
    return fixture.artemis().server().getSessions().stream()
        .filter(
            session -> session.getServerConsumers().stream().allMatch(consumer -> isOurs(consumer)))
        .toList();
  }

  /** Management answers to queues of other names. */
  private static boolean isOurs(ServerConsumer consumer) {
    return consumer.getQueue().getName().toString().startsWith("mailbox.");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static ServerLocator locator(int port) {
    return ActiveMQClient.createServerLocatorWithoutHA(
        new TransportConfiguration(
            NettyConnectorFactory.class.getName(), Map.of("host", "127.0.0.1", "port", port)));
  }

  private ArtemisBroker broker(ServerLocator locator, boolean direct) {
    locator.setCallTimeout(CALL_TIMEOUT_MILLIS);
    return new ArtemisBroker(
        new BrokerAccess(locator, null, null, () -> direct ? fixture.artemis().server() : null),
        InstantSource.system(),
        InstantSource.system(),
        topic -> ArtemisFixture.RETENTION,
        false);
  }
}
