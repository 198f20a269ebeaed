package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerState;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.HoldingProxy;

/** The broker ends a batch's transaction after its link has given up waiting for that. */
@ExtendWith(Brokers.Lender.class)
final class LateBrokerCommitTest {
  private static final ShardId SHARD = new ShardId(MailboxOnArtemis.TOPIC, 0);
  private static final long CALL_TIMEOUT_MILLIS = 2_000;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Set<MsgId> received = new HashSet<>();
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @ParameterizedTest
  @EachWay
  void aCommitThatTheJournalDelaysIsNotTakenForOneThatNeverWas(Way way) {
    ServerLocator locator = fixture.artemis().locator();
    try (ArtemisBroker broker = broker(locator, way);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker)) {
      accepted(mailbox, "first");
      List<ServerSession> stalled = workers();
      stalled.forEach(session -> session.getSessionContext().storeLineUp());

      aLateBatchIsFoundOnce(
          mailbox,
          () -> stalled.forEach(session -> session.getSessionContext().done()),
          /* committed= */ true);
    }
  }

  @ParameterizedTest
  @EachWay
  void aCommitThatTheJournalDelaysUntilTheBrokerDiesIsFoundByTheNextStart(Way way) {
    InMemoryProjectionStore store = new InMemoryProjectionStore();
    ServerLocator locator = fixture.artemis().locator();
    try (ArtemisBroker broker = broker(locator, way);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker, store, Map.of())) {
      accepted(mailbox, "first");
      workers().forEach(session -> session.getSessionContext().storeLineUp());
      isGivenUp(mailbox);
      fixture.crash();
    }

    received.clear();
    try (MailboxOnArtemis mailbox = new MailboxOnArtemis(fixture.broker(), store, Map.of())) {
      boolean isThere = store.countKeys() == 2;
      assertEquals(isThere, accepted(mailbox, "late").duplicate(), "its key");
      accepted(mailbox, "next");
      checkLedger(mailbox, receives(mailbox.mailbox(), 3));
    }
  }

  @Test
  void aCommitThatTheNetworkDelaysIsNotTakenForOneThatNeverWas() throws Exception {
    aDelayedCommitIsFoundOnce(
        proxy -> {
          proxy.release();
          Deadline.in(SOON)
              .await(() -> fixture.count(QueueNames.of(SHARD)) >= 2, () -> "the late commit");
          proxy.passEnds();
        },
        /* committed= */ true);
  }

  @Test
  void aCommitThatTheNetworkLosesFreesItsKeyOnceTheBrokerHasRolledBack() throws Exception {
    aDelayedCommitIsFoundOnce(HoldingProxy::drop, /* committed= */ false);
  }

  private void aDelayedCommitIsFoundOnce(Consumer<HoldingProxy> end, boolean committed)
      throws Exception {
    int port = freePort();
    fixture
        .artemis()
        .server()
        .getRemotingService()
        .createAcceptor("tcp", "tcp://127.0.0.1:" + port)
        .start();
    try (HoldingProxy proxy = new HoldingProxy(port);
        ArtemisBroker broker = broker(locator(proxy.port()), Way.CLIENT);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker)) {
      accepted(mailbox, "first");
      proxy.hold();

      aLateBatchIsFoundOnce(mailbox, () -> end.accept(proxy), committed);
    } finally {
      fixture.artemis().server().getRemotingService().destroyAcceptor("tcp");
    }
  }

  /**
   * Sends a message whose outcome only {@code end} brings.
   *
   * @param committed whether the broker then has the message
   */
  private void aLateBatchIsFoundOnce(MailboxOnArtemis mailbox, Runnable end, boolean committed) {
    boolean ended = false;
    try {
      isGivenUp(mailbox);
      receives(mailbox.mailbox(), 1);

      ended = true;
      end.run();
      assertEquals(committed, accepted(mailbox, "late").duplicate(), "its key");
      assertEquals(true, accepted(mailbox, "late").duplicate(), "its key, now that it is taken");
      accepted(mailbox, "next");
      checkLedger(mailbox, receives(mailbox.mailbox(), 2));
    } finally {
      if (!ended) {
        end.run();
      }
    }
  }

  private static void isGivenUp(MailboxOnArtemis mailbox) {
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
  }

  /** Repeats a SEND until it is accepted. */
  private static SendOutcome.Accepted accepted(MailboxOnArtemis mailbox, String key) {
    SendOutcome[] outcome = new SendOutcome[1];
    Deadline.in(SOON)
        .await(
            () -> {
              outcome[0] = mailbox.send(key);
              return outcome[0] instanceof SendOutcome.Accepted;
            },
            () -> "an outcome, but " + outcome[0]);
    return assertInstanceOf(SendOutcome.Accepted.class, outcome[0]);
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
    List<LedgerEntry> entries =
        mailbox.mailbox().storedLedgers().entries(new LedgerId(1, SHARD.index()), 1, 100);
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

  private ArtemisBroker broker(ServerLocator locator, Way way) {
    locator.setCallTimeout(CALL_TIMEOUT_MILLIS);
    return ArtemisFixture.adapter(
        new BrokerAccess(
            locator,
            EmbeddedArtemis::login,
            () -> way == Way.DIRECT ? fixture.artemis().server() : null,
            new BrokerState()));
  }
}
