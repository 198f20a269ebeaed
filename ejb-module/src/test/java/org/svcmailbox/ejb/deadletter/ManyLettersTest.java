package org.svcmailbox.ejb.deadletter;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.ErrorWords;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterPositions;
import org.svcmailbox.core.deadletter.SampleLetters;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.store.TestDatabase;

/**
 * Very many dead letters of one topic, a million with {@code -Pnightly}: how long an operator waits
 * for a page.
 */
@Isolated("it measures how long a page takes")
class ManyLettersTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final TopicName TOPIC = new TopicName("orders");
  private static final int LETTERS = Integer.getInteger("letters", 30_000);
  private static final int AT_ONCE = 2_000;
  private static final long WANTED_MILLIS = 200;

  private final SqlLetterIndex index = new SqlLetterIndex(DATABASE.transactions());
  private final Random random = new Random(20261122);
  private final LetterPositions positions = new LetterPositions(random);
  private final List<DeadLetter> some = new ArrayList<>();

  private DeadLetter letter(int number) {
    Envelope envelope =
        SampleMessages.message(
                new ShardId(TOPIC, number % 4),
                number,
                SampleLetters.NOW,
                new byte[] {1},
                new Attributes(Map.of("tenant", "t" + number % 1_000, "region", "r" + number % 3)),
                null)
            .envelope();
    DeadLetterReason reason =
        number % 5_000 == 0
            ? DeadLetterReason.INTEGRITY
            : number % 10 == 0 ? DeadLetterReason.EXPIRED : DeadLetterReason.MAX_ATTEMPTS;
    int attempt = number % 7_777 == 0 ? 99 : 1 + number % 5;
    return new DeadLetter(
        positions.next(SampleLetters.NOW.plusMillis(number / 3)),
        TOPIC,
        number / 4_096,
        envelope.msgId(),
        reason,
        attempt,
        "host-%d answered %d for order %d: %s"
            .formatted(number % 50, 500 + number % 4, number, cause(number)),
        0,
        null,
        1_024,
        envelope.withAttempt(attempt));
  }

  private static String cause(int number) {
    return number % 100_000 == 1 ? "needle in a haystack" : "connection reset by peer";
  }

  private void fill() {
    List<DeadLetter> batch = new ArrayList<>();
    for (int i = 0; i < LETTERS; i++) {
      batch.add(letter(i));
      if (batch.size() == AT_ONCE) {
        index.add(batch);
        some.add(batch.get(random.nextInt(AT_ONCE)));
        batch.clear();
      }
    }
  }

  private static LetterFilter words(String text) {
    return filter(null, null, null, Map.of(), ErrorWords.typed(text));
  }

  private static LetterFilter filter(
      @Nullable DeadLetterReason reason,
      @Nullable Integer attempts,
      @Nullable String idemKey,
      Map<String, String> attributes,
      List<String> words) {
    return new LetterFilter(
        reason, List.of(), null, null, attempts, idemKey, null, attributes, words, null);
  }

  private Map<String, List<LetterFilter>> filters() {
    return Map.ofEntries(
        Map.entry("all", List.of(LetterFilter.ALL)),
        Map.entry(
            "frequent reason",
            List.of(filter(DeadLetterReason.MAX_ATTEMPTS, null, null, Map.of(), List.of()))),
        Map.entry(
            "rare reason",
            List.of(filter(DeadLetterReason.INTEGRITY, null, null, Map.of(), List.of()))),
        Map.entry("rare attempt", List.of(filter(null, 99, null, Map.of(), List.of()))),
        Map.entry(
            "two that hardly meet",
            List.of(filter(DeadLetterReason.INTEGRITY, 99, null, Map.of(), List.of()))),
        Map.entry(
            "two that never meet",
            List.of(filter(DeadLetterReason.EXPIRED, 2, null, Map.of(), List.of()))),
        Map.entry(
            "attributes",
            List.of(filter(null, null, null, Map.of("tenant", "t17", "region", "r2"), List.of()))),
        Map.entry(
            "idem_key",
            some.stream()
                .limit(20)
                .map(
                    letter ->
                        filter(
                            null,
                            null,
                            requireNonNull(letter.envelope()).idemKey().value(),
                            Map.of(),
                            List.of()))
                .toList()),
        Map.entry(
            "fingerprint",
            some.stream()
                .limit(20)
                .map(letter -> LetterFilter.ALL.with(letter.fingerprint()))
                .toList()),
        Map.entry("a rare word", List.of(words("needle"))),
        Map.entry("a frequent word", List.of(words("connection"))),
        Map.entry("the beginning of many words", List.of(words("1*"))),
        Map.entry("a rare and a frequent word", List.of(words("hay* answered"))),
        Map.entry(
            "time",
            List.of(
                new LetterFilter(
                    null,
                    List.of(),
                    SampleLetters.NOW.plusSeconds(100),
                    SampleLetters.NOW.plusSeconds(110),
                    null,
                    null,
                    null,
                    Map.of(),
                    List.of(),
                    null))));
  }

  @Test
  void aFilteredPageIsThereBeforeOneLooksUp() {
    long begun = System.nanoTime();
    fill();
    System.out.printf(
        "%,d letters indexed, %,d/s%n",
        LETTERS, LETTERS / Math.max(1, Duration.ofNanos(System.nanoTime() - begun).toSeconds()));
    List<Long> all = new ArrayList<>();
    filters()
        .forEach(
            (name, filters) -> {
              List<Long> millis = new ArrayList<>();
              for (int i = 0; i < 20; i++) {
                LetterFilter filter = filters.get(i % filters.size());
                LetterPosition before =
                    i % 2 == 0
                        ? LetterPosition.LAST
                        : some.get(random.nextInt(some.size())).position();
                long since = System.nanoTime();
                index.page(TOPIC, filter, before, 51);
                millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
              }
              all.addAll(millis);
              Collections.sort(millis);
              System.out.printf(
                  "%-30s p50 %d ms, longest %d ms%n", name, millis.get(9), millis.get(19));
            });
    long since = System.nanoTime();
    assertEquals(
        LETTERS,
        index.count(TOPIC, LetterFilter.ALL, LetterPosition.LAST).values().stream()
            .mapToLong(n -> n)
            .sum());
    System.out.printf("count %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    since = System.nanoTime();
    index.groups(TOPIC, LetterFilter.ALL, 200);
    System.out.printf("groups %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    since = System.nanoTime();
    index.segments();
    System.out.printf("segments %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    Collections.sort(all);
    long p95 = all.get(all.size() * 95 / 100);
    assertTrue(p95 < WANTED_MILLIS, "p95 is " + p95 + " ms");
  }
}
