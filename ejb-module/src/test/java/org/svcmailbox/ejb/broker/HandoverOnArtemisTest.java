package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.sendlog.InMemorySendLogStore;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/**
 * Leases over a restart of the service and of its broker. {@code handover.leases} sets how many.
 */
@ExtendWith(Brokers.Lender.class)
final class HandoverOnArtemisTest {
  private static final int LEASES = Integer.getInteger("handover.leases", 300);
  private static final int READY = 5;
  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.global_inflight", "20000", "mailbox.drain_deadline", "5s");

  private final InMemorySendLogStore store = new InMemorySendLogStore();

  @ParameterizedTest
  @EnumSource
  void leasesOutliveARestartOfServiceAndBroker(Way way, Brokers brokers, TestReporter reporter) {
    ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    List<LeasedMessage> leased;
    long begun;
    try (MailboxOnArtemis mailbox = mailbox(fixture)) {
      List<CompletableFuture<?>> sends = new ArrayList<>();
      for (int i = 0; i < LEASES + READY; i++) {
        sends.add(mailbox.submit("key-" + i).toCompletableFuture());
      }
      sends.forEach(CompletableFuture::join);
      leased = lease(mailbox, LEASES);
      begun = System.nanoTime();
    }
    long drained = System.nanoTime();
    fixture.restart();
    long restarted = System.nanoTime();
    try (MailboxOnArtemis mailbox = mailbox(fixture)) {
      assertEquals(READY, lease(mailbox, READY + 1).size(), "nobody else gets a leased message");
      long first = System.nanoTime();
      reporter.publishEntry(
          "handover",
          "%s: %d leases, drained in %d ms, first RECV %d ms after the start"
              .formatted(way, LEASES, millis(drained - begun), millis(first - restarted)));
      for (LeasedMessage one : leased) {
        Ack ack = new Ack(one.message().envelope().msgId(), one.receipt());
        assertInstanceOf(
            Done.class,
            mailbox.mailbox().settle(SampleCallers.OPERATOR, ack).toCompletableFuture().join());
      }
    }
  }

  private static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }

  private MailboxOnArtemis mailbox(ArtemisFixture fixture) {
    return new MailboxOnArtemis(fixture.broker(), store, SETTINGS);
  }

  private static List<LeasedMessage> lease(MailboxOnArtemis mailbox, int most) {
    List<LeasedMessage> all = new ArrayList<>();
    List<LeasedMessage> more;
    do {
      RecvRequest request =
          new RecvRequest(
              MailboxOnArtemis.TOPIC,
              Duration.ofMinutes(10),
              Math.min(100, most - all.size()),
              Long.MAX_VALUE,
              Duration.ZERO,
              null);
      more =
          assertInstanceOf(
                  Delivered.class,
                  mailbox
                      .mailbox()
                      .recv(SampleCallers.OPERATOR, request)
                      .outcome()
                      .toCompletableFuture()
                      .join())
              .messages();
      all.addAll(more);
    } while (!more.isEmpty() && all.size() < most);
    return all;
  }
}
