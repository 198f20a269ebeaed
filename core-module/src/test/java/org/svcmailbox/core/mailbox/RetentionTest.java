package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicOverrides;

/** How long a message may wait, counted each time it becomes ready. */
class RetentionTest {
  private static final String TOPIC = "orders";
  private static final Duration RETENTION = Duration.ofSeconds(5);
  private static final Duration MILLI = Duration.ofMillis(1);

  private final MailboxRig rig =
      new MailboxRig(
          1, Map.of("mailbox.ready_shards", "1", "mailbox.retention.ready", RETENTION + ""));

  private void send(String key, Duration delay, @Nullable Duration ttl) {
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(request(key, delay, ttl)));
  }

  private static SendRequest request(String key, Duration delay, @Nullable Duration ttl) {
    return new SendRequest(
        new TopicName(TOPIC),
        Payload.owning(key.getBytes(StandardCharsets.UTF_8)),
        new IdemKey(key),
        Attributes.NONE,
        null,
        null,
        delay,
        ttl,
        null,
        null,
        null);
  }

  private List<String> received(int max) {
    return messages(max).stream().map(RetentionTest::key).toList();
  }

  private List<LeasedMessage> messages(int max) {
    return assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, max)).messages();
  }

  private static String key(LeasedMessage leased) {
    return leased.message().envelope().idemKey().value();
  }

  private List<Quarantine> deaths() {
    return rig.broker.quarantined(new TopicName(TOPIC)).stream().map(ObservedLetter::why).toList();
  }

  @Test
  void aDelayTakesNothingOfTheRetention() {
    send("k", Duration.ofSeconds(70), null);
    rig.pass(Duration.ofSeconds(70).plus(RETENTION).minus(MILLI));
    assertEquals(List.of("k"), received(1));
  }

  @Test
  void theLongestDelayAndTheDefaultRetentionDeliver() {
    MailboxRig plain = new MailboxRig(1, Map.of());
    plain.send(request("k", SendRequest.MAX_DELAY, null));
    plain.pass(SendRequest.MAX_DELAY);
    assertInstanceOf(Delivered.class, plain.recvNow(TOPIC, 1));
    assertEquals(1, plain.mailbox().limits().inflight());
  }

  @Test
  void afterItsDelayAMessageExpiresLikeAnyOther() {
    send("k", Duration.ofSeconds(70), null);
    rig.pass(Duration.ofSeconds(70).plus(RETENTION));
    assertEquals(List.of(), received(1));
    assertEquals(
        List.of(
            new Quarantine(DeadLetterReason.EXPIRED, 0, "nobody received it within its retention")),
        deaths());
  }

  @Test
  void theDelayOfANackTakesNothingOfTheRetention() {
    send("k", Duration.ZERO, null);
    LeasedMessage held = messages(1).get(0);
    rig.nack(held.message().envelope().msgId(), held.receipt(), Duration.ofSeconds(60));
    rig.pass(Duration.ofSeconds(60).plus(RETENTION).minus(MILLI));
    assertEquals(List.of("k"), received(1));
  }

  @Test
  void neitherALeaseNorTheBackoffTakesAnythingOfTheRetention() {
    send("k", Duration.ZERO, null);
    rig.pass(RETENTION.minus(MILLI));
    LeasedMessage held = messages(1).get(0);
    rig.pass(Duration.ofMillis(999));
    rig.nack(held.message().envelope().msgId(), held.receipt(), null);
    // At most twice the base, and then nearly the whole retention.
    rig.pass(Duration.ofMillis(400));
    rig.pass(RETENTION.minusMillis(401));
    assertEquals(List.of("k"), received(1));
    rig.pass(Duration.ofSeconds(1));
    rig.pass(RETENTION.minusMillis(1));
    assertEquals(List.of("k"), received(1), "after a lease that ran out");
  }

  @Test
  void aTimeToLiveHoldsInPlaceOfTheRetention() {
    send("short", Duration.ZERO, Duration.ofSeconds(1));
    send("long", Duration.ZERO, Duration.ofSeconds(60));
    send("delayed", Duration.ofSeconds(3), Duration.ofSeconds(2));
    rig.pass(Duration.ofSeconds(1));
    rig.pass(Duration.ofSeconds(2));
    assertEquals(List.of("delayed", "long"), received(5).stream().sorted().toList());
    assertEquals(
        List.of(DeadLetterReason.EXPIRED), deaths().stream().map(Quarantine::reason).toList());
  }

  @Test
  void aTimeToLiveBeginsAgainWithEachDeliveryThatFails() {
    send("k", Duration.ZERO, Duration.ofSeconds(20));
    for (int attempt = 1; attempt <= 3; attempt++) {
      rig.pass(Duration.ofSeconds(19));
      LeasedMessage held = messages(1).get(0);
      assertEquals(attempt, held.message().envelope().attempt());
      rig.nack(held.message().envelope().msgId(), held.receipt(), Duration.ZERO);
    }
    rig.pass(Duration.ofSeconds(20));
    assertEquals(List.of(), received(1));
    assertEquals(List.of(new Quarantine(DeadLetterReason.EXPIRED, 3, "no")), deaths());
  }

  @Test
  void whatAWorkerHasAtHandExpiresToo() {
    for (String key : List.of("a", "b", "c")) {
      send(key, Duration.ZERO, Duration.ofSeconds(2));
    }
    send("d", Duration.ZERO, null);
    assertEquals(List.of("a"), received(1));
    // Its lease has run out, too.
    rig.pass(Duration.ofSeconds(2));
    assertEquals(List.of("a", "d"), peeked());
    assertEquals(2, deaths().size());
    assertEquals(List.of("a", "d"), received(5));
  }

  @Test
  void aWorkersLettersAreKeptAsTheirTopicSays() {
    Duration kept = Duration.ofDays(3);
    RetentionOverrides retention = new RetentionOverrides(null, null, null, null, kept, null);
    TopicName topic = new TopicName(TOPIC);
    TopicOverrides overrides = new TopicOverrides(null, null, null, 1, null, null, null, retention);
    rig.operate(
        () -> rig.mailbox().topicAdmin().put(rig.caller, topic, overrides, Precondition.NONE));
    send("refused", Duration.ZERO, null);
    send("prefetched", Duration.ZERO, Duration.ofSeconds(2));
    LeasedMessage held = messages(1).get(0);
    rig.nack(held.message().envelope().msgId(), held.receipt(), null);
    rig.pass(Duration.ofSeconds(2));
    assertEquals(List.of(), peeked());
    assertEquals(
        Set.of(0, 1), deaths().stream().map(Quarantine::attempt).collect(Collectors.toSet()));
    Map<DeadLetterReason, Instant> ends = new EnumMap<>(DeadLetterReason.class);
    rig.broker
        .quarantined(topic)
        .forEach(letter -> ends.put(letter.why().reason(), letter.expiresAt()));
    Instant now = rig.time.instant();
    assertEquals(now.plus(kept), ends.get(DeadLetterReason.EXPIRED));
    assertEquals(
        now.minus(Duration.ofSeconds(2)).plus(kept), ends.get(DeadLetterReason.MAX_ATTEMPTS));
  }

  private List<String> peeked() {
    TopicContents contents = rig.mailbox().topicContents();
    return rig
        .operate(() -> contents.peek(rig.caller, new TopicName(TOPIC), /* shard= */ null, 5))
        .stream()
        .map(message -> message.envelope().idemKey().value())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 31_536_000_001L})
  void aTimeToLiveOutOfRangeIsRefused(long millis) {
    Duration ttl = Duration.ofMillis(millis);
    assertThrows(SchemaException.class, () -> request("k", Duration.ZERO, ttl));
  }
}
