package org.svcmailbox.core.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.ShardId;

/** Dead letters for tests: random, and so alike that filters find some. */
public final class SampleLetters {
  public static final TopicName ORDERS = new TopicName("orders");
  public static final TopicName REFUNDS = new TopicName("refunds.eu-1");
  public static final Instant NOW = Instant.parse("2026-11-22T03:00:00Z");

  private static final List<String> ERRORS =
      List.of(
          "connect timed out after 1500 ms",
          "connect timed out after 30 ms",
          "Zürich: Grüße an 東京 — kaputt",
          "zzz z7az 0x7f java.lang.NullPointerException: null",
          "",
          "ORA-00001: unique constraint (SHOP.ORDERS_PK) violated",
          "zero \u0000, bell \u0007, line\nend, emoji \uD83D\uDE80",
          "a' OR 1=1 -- \" * AND NOT (");

  private final Random random;
  private final LetterPositions positions;

  public SampleLetters(long seed) {
    random = new Random(seed);
    positions = new LetterPositions(random);
  }

  /** A letter that died some time after {@link #NOW}. */
  public DeadLetter next() {
    TopicName topic = random.nextInt(4) == 0 ? REFUNDS : ORDERS;
    LetterPosition position = positions.next(NOW.plus(Duration.ofMillis(random.nextInt(1_000))));
    boolean isReadable = random.nextInt(10) > 0;
    Envelope envelope =
        SampleMessages.message(
                new ShardId(topic, random.nextInt(2)),
                1 + random.nextInt(20),
                NOW,
                new byte[] {1},
                attributes(),
                null)
            .envelope();
    int attempt = 1 + random.nextInt(3);
    int redrives = random.nextInt(3);
    return new DeadLetter(
        position,
        topic,
        random.nextInt(3),
        isReadable ? envelope.msgId() : new MsgId(position.bits(), random.nextLong()),
        any(DeadLetterReason.values()),
        attempt,
        any(ERRORS.toArray(String[]::new)),
        redrives,
        redrives == 0 ? null : job(),
        random.nextInt(1 << 20),
        isReadable ? envelope.withAttempt(attempt) : null);
  }

  private JobId job() {
    return JobId.random(new Random(random.nextInt(3)));
  }

  private Attributes attributes() {
    return switch (random.nextInt(3)) {
      case 0 -> Attributes.NONE;
      case 1 -> new Attributes(Map.of("tenant", "t" + random.nextInt(3), "kind", "new"));
      default -> SampleMessages.awkwardAttributes();
    };
  }

  /** A filter that finds some of the letters, all or none. */
  public LetterFilter filter(List<DeadLetter> letters) {
    DeadLetter like = letters.get(random.nextInt(letters.size()));
    Envelope envelope = like.envelope();
    List<String> words = ErrorWords.typed(like.lastError());
    return new LetterFilter(
        rarely() ? like.reason() : null,
        rarely() ? alike(like, letters) : List.of(),
        rarely() ? like.deadAt().minusMillis(random.nextInt(300)) : null,
        rarely() ? like.deadAt().plusMillis(random.nextInt(300)) : null,
        rarely() ? like.attempt() : null,
        rarely() && envelope != null ? envelope.idemKey().value() : null,
        random.nextInt(20) == 0 && envelope != null ? envelope.corrId().value() : null,
        rarely() ? Map.of("tenant", "t" + random.nextInt(4)) : Map.of(),
        rarely() ? words.stream().limit(2).map(this::beginning).toList() : List.of(),
        rarely() ? like.job() : null);
  }

  /** One group or two. */
  private List<Fingerprint> alike(DeadLetter like, List<DeadLetter> letters) {
    return List.of(like.fingerprint(), letters.get(random.nextInt(letters.size())).fingerprint());
  }

  private String beginning(String word) {
    int characters = 1 + random.nextInt(word.codePointCount(0, word.length()));
    return random.nextBoolean()
        ? word
        : word.substring(0, word.offsetByCodePoints(0, characters)) + ErrorWords.BEGINNING;
  }

  private boolean rarely() {
    return random.nextInt(4) == 0;
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
