package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.ShardId;

/** Messages that a worker holds and nobody has leased: they expire in time, and are there once. */
class PrefetchExpiryTest {
  private static final TopicName TOPIC = new TopicName("orders");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 200;

  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "1"));

  private void send(String key, @Nullable Duration ttl) {
    SendRequest request =
        new SendRequest(
            TOPIC,
            Payload.owning(key.getBytes(StandardCharsets.UTF_8)),
            new IdemKey(key),
            Attributes.NONE,
            null,
            null,
            Duration.ZERO,
            ttl,
            null,
            null,
            null);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(request));
  }

  private List<LeasedMessage> lease(int most) {
    return assertInstanceOf(
            Delivered.class,
            MailboxRig.answered(
                rig.recv(TOPIC.value(), most, Duration.ofMinutes(10), Duration.ZERO).outcome()))
        .messages();
  }

  private List<ObservedLetter> letters() {
    return rig.broker.quarantined(TOPIC);
  }

  @Test
  void messagesExpireBesideALeaseThatIsHeldAndExtended() {
    send("held", null);
    for (int i = 0; i < MANY; i++) {
      send("k" + i, SECOND);
    }
    LeasedMessage held = lease(1).get(0);
    rig.pass(SECOND);
    SettleOutcome extended =
        rig.settle(
            new SettleRequest.Extend(
                held.message().envelope().msgId(), held.receipt(), Duration.ofMinutes(20)));
    assertEquals(SettleOutcome.DONE, extended);
    rig.pass(SECOND);
    assertEquals(MANY, letters().size(), "with no call for the shard");
    assertTrue(
        letters().stream().allMatch(letter -> letter.why().reason() == DeadLetterReason.EXPIRED));
    assertEquals(0, rig.mailbox().limits().counters(new ShardId(TOPIC, 0)).waiting());
    assertEquals(1, rig.mailbox().limits().inflight());
  }

  /** They expired by the broker's clock only, as they have a new life. */
  @Test
  void messagesWithANewLifeDoNotOvertakeOthers() {
    int count = 768;
    rig.broker.handOver(512);
    for (int i = 0; i < count; i++) {
      send("k" + i, i % 2 == 0 ? null : Duration.ofMinutes(1));
    }
    rig.pass(SECOND);
    rig.restart();
    long before = lease(1).get(0).message().envelope().seq();
    rig.pass(Duration.ofSeconds(59));
    for (int i = 1; i < count; i++) {
      long number = lease(1).get(0).message().envelope().seq();
      assertTrue(number > before, number + " after " + before);
      before = number;
    }
    assertEquals(List.of(), letters());
  }

  @Test
  void whatIsHandedOverAndOverIsEnded() {
    rig.broker.handOver(512);
    send("held", null);
    for (int i = 0; i < 2 * MANY; i++) {
      send("k" + i, i % 2 == 0 ? null : SECOND);
    }
    lease(1);
    rig.pass(SECOND);
    rig.pass(SECOND);
    assertEquals(MANY, letters().size());
  }

  @Test
  void whatIsStillToLiveStays() {
    send("held", null);
    send("short", SECOND);
    send("long", SECOND.multipliedBy(20));
    lease(1);
    rig.pass(SECOND.multipliedBy(5));
    assertEquals(1, letters().size());
    assertEquals(1, lease(5).size());
  }

  @Test
  void aSecondCopyOfAPrefetchedOrLeasedMessageIsPutAway() {
    send("a", null);
    send("b", null);
    LeasedMessage held = lease(1).get(0);
    BrokerSession other = SampleLog.open(rig.broker, 9);
    rig.broker.everything().values().stream()
        .forEach(message -> other.enqueue(new ShardId(TOPIC, 0), message, null));
    other.commit();
    other.close();
    List<LeasedMessage> next = lease(10);
    assertEquals(1, next.size());
    assertEquals(2, letters().size());
    assertEquals(
        List.of(DeadLetterReason.INTEGRITY, DeadLetterReason.INTEGRITY),
        letters().stream().map(letter -> letter.why().reason()).toList());
    assertEquals(0, rig.broker.failedSessions());
    assertEquals(SettleOutcome.DONE, rig.ack(held.message().envelope().msgId(), held.receipt()));
  }
}
