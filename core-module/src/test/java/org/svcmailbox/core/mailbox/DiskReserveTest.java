package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.topic.TopicChoice;

/** A mailbox whose disk is nearly full, or not writable. */
class DiskReserveTest {
  private static final String TOPIC = "orders";
  private static final long MIB = 1L << 20;
  private static final Duration FRESH = Duration.ofMillis(100);

  private final MailboxRig rig =
      new MailboxRig(
          1, Map.of("mailbox.disk_reserve", "" + 64 * MIB, "mailbox.default_visibility", "1s"));

  private void leave(long free) {
    rig.disk.room(free, 4L << 30);
    rig.pass(FRESH);
  }

  private static Refusal refused(SendOutcome outcome) {
    return assertInstanceOf(Refusal.class, outcome);
  }

  @Test
  void aSendIsAcceptedAtTheReserveAndRefusedBelowIt() {
    leave(64 * MIB + 1);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "fits", "x"));
    leave(64 * MIB - 1);
    Refusal refusal = refused(rig.send(TOPIC, "does-not", "x"));
    assertEquals("disk_reserve", refusal.reason());
    assertEquals(Problem.E_UNAVAILABLE, refusal.problem());
    assertEquals(Duration.ofSeconds(2), refusal.retryAfter());
    leave(64 * MIB);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "does-not", "x"));
  }

  @Test
  void oneTopicLeavesRoomOnTheDiskForTheOthers() {
    rig.crashInto(Map.of("mailbox.disk_reserve", "" + 64 * MIB, "mailbox.fair_share", "75"));
    String kib = "x".repeat(1_024);
    long room = 8_192;
    leave(64 * MIB + room);
    SendOutcome last = rig.send(TOPIC, "k0", kib);
    for (int i = 1; i < 100 && last instanceof SendOutcome.Accepted; i++) {
      last = rig.send(TOPIC, "k" + i, kib);
    }
    Refusal refusal = refused(last);
    assertEquals("disk_share", refusal.reason());
    assertEquals(Problem.E_SATURATED, refusal.problem());
    long has = rig.mailbox().limits().topics().of(new TopicName(TOPIC)).bytes().count();
    long more = 0L + kib.length() + Limits.MESSAGE_OVERHEAD;
    assertTrue(has <= 3 * room && has + more > 3 * room, has + " bytes");
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("other", "k", kib));
    leave(64 * MIB + 2 * room);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "again", kib));
  }

  @Test
  void whatIsAcceptedAndNotYetWrittenCountsAsWritten() {
    leave(64 * MIB + 1);
    CompletableFuture<SendOutcome> first = rig.submit(TOPIC, "k1", "xy");
    assertEquals(
        "disk_reserve", refused(MailboxRig.answered(rig.submit(TOPIC, "k2", "x"))).reason());
    rig.run();
    assertInstanceOf(SendOutcome.Accepted.class, MailboxRig.answered(first));
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "k2", "x"));
  }

  @Test
  void aSendThatWaitsForItsWorkerIsRefusedWhenTheRoomIsGone() {
    rig.send(TOPIC, "earlier", "x");
    CompletableFuture<SendOutcome> waiting = rig.submit(TOPIC, "k", "x");
    leave(0);
    assertEquals("disk_reserve", refused(MailboxRig.answered(waiting)).reason());
    assertEquals(1, rig.broker.everything().size());
    assertEquals(0, rig.mailbox().limits().pendingBytes().total().count());
  }

  @Test
  void belowTheReserveMessagesAreHandedOutSettledAndPutAway() {
    rig.send(TOPIC, "k1", "x");
    leave(0);
    for (int attempt = 1; attempt <= 5; attempt++) {
      LeasedMessage leased = receive();
      assertEquals(attempt, leased.message().envelope().attempt());
      assertInstanceOf(
          SettleOutcome.Done.class,
          rig.nack(leased.message().envelope().msgId(), leased.receipt(), Duration.ZERO));
    }
    assertEquals(Delivered.NONE, rig.recvNow(TOPIC, 1), "it is a dead letter");
    leave(1L << 30);
    rig.send(TOPIC, "k2", "x");
    leave(0);
    LeasedMessage leased = receive();
    assertInstanceOf(
        SettleOutcome.Done.class, rig.ack(leased.message().envelope().msgId(), leased.receipt()));
  }

  private LeasedMessage receive() {
    return assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1)).messages().get(0);
  }

  @Test
  void aDiskThatCannotBeWrittenRefusesAndSaysWhy() {
    rig.disk.fault("/data cannot be written: Read-only file system");
    rig.pass(FRESH);
    assertEquals("disk_failed", refused(rig.send(TOPIC, "k", "x")).reason());
    assertEquals(
        "/data cannot be written: Read-only file system", rig.mailbox().limits().disk().shortage());
    rig.disk.fault(null);
    rig.pass(FRESH);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "k", "x"));
    assertEquals("", rig.mailbox().limits().disk().shortage());
  }

  @Test
  void theDiskIsAskedAtMostTenTimesASecond() {
    leave(1L << 30);
    rig.disk.room(0, 4L << 30);
    rig.pass(FRESH.minusNanos(1));
    assertEquals(1L << 30, rig.mailbox().limits().disk().free());
    rig.pass(Duration.ofNanos(1));
    assertEquals(0, rig.mailbox().limits().disk().free());
  }

  @ParameterizedTest
  @CsvSource({"384, 32", "640, 32", "2000, 100", "5120, 256", "1000000, 256"})
  void unlessConfiguredTheReserveIsAShareOfTheFileSystem(long totalMib, long reserveMib) {
    MailboxRig byDefault = new MailboxRig(1, Map.of());
    byDefault.disk.room(0, totalMib * MIB);
    byDefault.pass(FRESH);
    assertEquals(reserveMib * MIB, byDefault.mailbox().limits().disk().reserve());
  }

  @Test
  void freeRoomAndReserveAreMetricsAndInTheOverview() {
    leave(65 * MIB);
    assertEquals(65 * MIB, told(rig, Family.DISK_FREE_BYTES));
    assertEquals(64 * MIB, told(rig, Family.DISK_RESERVE_BYTES));
    var disk = rig.mailbox().topicAdmin().list(rig.caller, TopicChoice.ALL).disk();
    assertTrue(disk != null && disk.freeBytes() == 65 * MIB && disk.reserveBytes() == 64 * MIB);
  }

  @Test
  void amnesiaNeedsNoRoom() {
    MailboxRig amnesic = new MailboxRig(1, Map.of("mailbox.amnesia", "true"));
    amnesic.disk.room(0, 1L << 30);
    amnesic.pass(FRESH);
    assertInstanceOf(SendOutcome.Accepted.class, amnesic.send(TOPIC, "k", "x"));
    assertEquals("", amnesic.mailbox().limits().disk().shortage());
    assertEquals(-1, told(amnesic, Family.DISK_FREE_BYTES));
  }

  private static double told(MailboxRig rig, Family family) {
    return rig.mailbox().metrics().stream()
        .filter(metric -> metric.family() == family)
        .mapToDouble(metric -> metric.now())
        .findFirst()
        .orElse(-1);
  }
}
