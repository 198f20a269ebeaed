package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Leases over a restart of the service and of its broker. {@code handover.leases} sets how many.
 */
@ExtendWith(Brokers.Lender.class)
final class HandoverOnArtemisTest {
  private static final int LEASES = Integer.getInteger("handover.leases", 300);
  private static final int READY = 5;
  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.global_inflight", "20000", "mailbox.drain_deadline", "5s");

  private final InMemoryProjectionStore store = new InMemoryProjectionStore();

  @ParameterizedTest
  @EachWay
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
      leased.forEach(one -> assertInstanceOf(Done.class, ack(mailbox, one)));
    }
  }

  /** A message that expires within an hour is written once more, and is then behind the backlog. */
  @Test
  void leasesOfMessagesThatExpireSoonOutliveABacklog(Brokers brokers) {
    ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard());
    Duration hour = Duration.ofHours(1);
    List<LeasedMessage> leased;
    try (MailboxOnArtemis mailbox = mailbox(fixture)) {
      for (int i = 0; i < 10; i++) {
        mailbox.submit("leased-" + i, new byte[10], hour).toCompletableFuture().join();
      }
      for (int i = 0; i < 60; i++) {
        mailbox.submit("ready-" + i, new byte[100 * 1024], null).toCompletableFuture().join();
      }
      leased = lease(mailbox, 10);
    }
    fixture.restart();
    try (MailboxOnArtemis mailbox = mailbox(fixture)) {
      awaitTaken(mailbox, 10);
      List<Long> ready = new ArrayList<>();
      for (List<LeasedMessage> more = lease(mailbox, 60);
          !more.isEmpty();
          more = lease(mailbox, 60)) {
        more.forEach(one -> ready.add(one.message().envelope().seq()));
      }
      assertEquals(LongStream.rangeClosed(11, 70).boxed().toList(), ready);
      leased.forEach(one -> assertInstanceOf(Done.class, ack(mailbox, one)));
    }
  }

  /** The broker reads a shard back from its pages little by little, and answers in between. */
  @ParameterizedTest
  @EachWay
  void leasesOutliveARestartOfABrokerThatPages(Way way, Brokers brokers) {
    ArtemisFixture fixture =
        brokers.start(EmbeddedArtemis.Options.standard().withMemory(64 * 1024), way);
    List<LeasedMessage> leased = new ArrayList<>();
    try (MailboxOnArtemis mailbox = mailbox(fixture)) {
      List<CompletableFuture<?>> sends = new ArrayList<>();
      for (int i = 0; i < LEASES; i++) {
        sends.add(mailbox.submit("key-" + i, new byte[4 * 1024], null).toCompletableFuture());
      }
      sends.forEach(CompletableFuture::join);
      while (leased.size() < LEASES) {
        leased.addAll(lease(mailbox, LEASES - leased.size()));
      }
    }
    fixture.restart();
    try (MailboxOnArtemis mailbox = mailbox(fixture)) {
      awaitTaken(mailbox, LEASES);
      assertEquals(List.of(), lease(mailbox, 1));
      leased.forEach(one -> assertInstanceOf(Done.class, ack(mailbox, one)));
    }
  }

  private static void awaitTaken(MailboxOnArtemis mailbox, int leases) {
    Deadline.in(BrokerContract.PATIENCE)
        .await(() -> taken(mailbox) == leases, () -> taken(mailbox) + " taken over");
  }

  /** An ACK of a lease that was not taken over may find its message all the same. */
  private static double taken(MailboxOnArtemis mailbox) {
    return mailbox.mailbox().metrics().stream()
        .filter(metric -> metric.family() == Family.HANDOVER_LEASES_TOTAL)
        .filter(metric -> metric.tags().containsValue("taken"))
        .mapToDouble(Metric::now)
        .sum();
  }

  private static SettleOutcome ack(MailboxOnArtemis mailbox, LeasedMessage one) {
    Ack ack = new Ack(one.message().envelope().msgId(), one.receipt());
    return mailbox.mailbox().settle(SampleCallers.OPERATOR, ack).toCompletableFuture().join();
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
