package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.ExpiryPolicy;
import org.svcmailbox.core.message.Quarantine;

/**
 * A message whose time passes while it is leased, and whose lease ends with the worker's session.
 */
class LostLeaseExpiryTest {
  private static final String TOPIC = "orders";
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration LIFE = Duration.ofSeconds(5);
  private static final Duration MILLI = Duration.ofMillis(1);

  /** How the session ends. */
  private enum Loss {
    KILL,
    SESSION;

    void happens(MailboxRig rig) {
      if (this == KILL) {
        rig.crash();
      } else {
        rig.broker.goDown();
        rig.pass(Duration.ofSeconds(1));
        rig.broker.comeBack();
        rig.pass(Duration.ofSeconds(1));
      }
    }
  }

  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "1"));

  private void send(MailboxRig to, Duration delay, @Nullable Duration ttl) {
    SendRequest request =
        new SendRequest(
            new TopicName(TOPIC),
            Payload.owning("x".getBytes(StandardCharsets.UTF_8)),
            new IdemKey("k"),
            Attributes.NONE,
            null,
            null,
            delay,
            ttl,
            null,
            null,
            null);
    assertInstanceOf(SendOutcome.Accepted.class, to.send(request));
  }

  private static List<LeasedMessage> lease(MailboxRig from) {
    return assertInstanceOf(
            Delivered.class,
            MailboxRig.answered(from.recv(TOPIC, 10, LEASE, Duration.ZERO).outcome()))
        .messages();
  }

  private List<Quarantine> deaths() {
    return rig.broker.quarantined(new TopicName(TOPIC)).stream().map(ObservedLetter::why).toList();
  }

  @ParameterizedTest
  @EnumSource
  void itIsDeliveredAgainWithItsAttemptUnspent(Loss loss) {
    send(rig, Duration.ZERO, LIFE);
    assertEquals(1, lease(rig).size());
    rig.pass(LIFE.multipliedBy(10));
    loss.happens(rig);
    List<LeasedMessage> again = lease(rig);
    assertEquals(1, again.size());
    assertEquals(1, again.get(0).message().envelope().attempt());
    assertEquals(List.of(), deaths());
  }

  @ParameterizedTest
  @EnumSource
  void anAckOfItsHolderCounts(Loss loss) {
    send(rig, Duration.ZERO, LIFE);
    LeasedMessage held = lease(rig).get(0);
    rig.pass(LIFE.multipliedBy(10));
    loss.happens(rig);
    assertInstanceOf(Done.class, rig.ack(held.message().envelope().msgId(), held.receipt()));
    assertEquals(Map.of(), rig.broker.everything());
    assertEquals(List.of(), deaths());
  }

  @ParameterizedTest
  @EnumSource
  void aShortRetentionIsALifeToo(Loss loss) {
    MailboxRig brief =
        new MailboxRig(
            1, Map.of("mailbox.ready_shards", "1", "mailbox.retention.ready", LIFE.toString()));
    send(brief, Duration.ZERO, null);
    assertEquals(1, lease(brief).size());
    brief.pass(LIFE.multipliedBy(2));
    loss.happens(brief);
    assertEquals(1, lease(brief).size());
  }

  @ParameterizedTest
  @EnumSource
  void soIsThatOfALaterAttemptAndOfADelayedMessage(Loss loss) {
    send(rig, Duration.ofSeconds(30), LIFE);
    rig.pass(Duration.ofSeconds(30));
    LeasedMessage first = lease(rig).get(0);
    rig.nack(first.message().envelope().msgId(), first.receipt(), Duration.ofSeconds(2));
    rig.pass(Duration.ofSeconds(2));
    assertEquals(2, lease(rig).get(0).message().envelope().attempt());
    rig.pass(LIFE.multipliedBy(2));
    loss.happens(rig);
    assertEquals(2, lease(rig).get(0).message().envelope().attempt());
  }

  @ParameterizedTest
  @EnumSource
  void nobodyComesForItSoItExpiresAfterItsNewLife(Loss loss) {
    send(rig, Duration.ZERO, LIFE);
    lease(rig);
    rig.pass(LIFE.multipliedBy(2));
    loss.happens(rig);
    rig.pass(LIFE.plusSeconds(1));
    assertEquals(List.of(), lease(rig));
    assertEquals(
        List.of(new Quarantine(DeadLetterReason.EXPIRED, 0, ExpiryPolicy.MAY_HAVE_BEEN_HELD)),
        deaths());
  }

  @Test
  void aMessageThatNobodyHadExpiresWithinTheSameBound() {
    send(rig, Duration.ZERO, LIFE);
    rig.pass(LIFE.minus(MILLI));
    rig.crash();
    rig.pass(LIFE);
    assertEquals(List.of(), lease(rig));
    assertEquals(1, deaths().size());
  }

  @Test
  void aMessageOfThisSessionExpiresAsEver() {
    rig.send(TOPIC, "first", "x");
    lease(rig);
    rig.crash();
    send(rig, Duration.ZERO, LIFE);
    rig.pass(LIFE);
    assertEquals(1, lease(rig).size(), "the first one");
    assertEquals("nobody received it within its retention", deaths().get(0).lastError());
  }
}
