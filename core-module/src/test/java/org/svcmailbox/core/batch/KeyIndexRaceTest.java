package org.svcmailbox.core.batch;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;

/** Two workers want one key whose window is over, while its page is purged. */
@Tag("race")
class KeyIndexRaceTest {
  private static final IdempotencyKey KEY = new IdempotencyKey(1, 2);
  private static final IdempotencyKey OTHER = new IdempotencyKey(1, 3);
  private static final long OVER = 10;
  private static final long NOW = 20;
  private static final long LATER = 30;

  /** Made before the races: Lincheck does not know how the hasher reads words. */
  private static final Reservation RESERVATION = SampleShard.reservation(LATER);

  private static void takeWhileItIsPurged() {
    KeyIndex index = new KeyIndex(1);
    KeyPage old = new KeyPage(WorkerId.of(0), 1, OVER);
    index.take(KEY, old, 0);
    index.take(OTHER, old, 0);
    KeyPage first = new KeyPage(WorkerId.of(0), 2, LATER);
    KeyPage second = new KeyPage(WorkerId.of(1), 1, LATER);
    int[] purged = new int[1];
    KeyPage winner =
        winner(
            (key, page) -> index.take(key, page, NOW),
            first,
            second,
            () -> purged[0] = index.remove(List.of(old)));
    expect(index.find(KEY) == winner, "it is with the worker that took it");
    expect(index.find(OTHER) == null, "what nobody took is free");
    expect(index.size() == 1, "one key is left, not " + index.size());
    expect(purged[0] == 1 || purged[0] == 2, "its page had one or two keys, not " + purged[0]);
    expect(index.remove(List.of(first, second)) == 1, "its page has it");
    expect(index.size() == 0, "nothing is left");
  }

  /** A letter's key is taken over and given back while the letter's page is purged. */
  private static void giveBackWhileItIsPurged() {
    KeyIndex index = new KeyIndex(1);
    KeyPage letter = new KeyPage(WorkerId.of(0), 1, LATER);
    index.take(KEY, letter, 0);
    index.take(OTHER, letter, 0);
    KeyPage heir = heir(1);
    together(
        () -> {
          index.take(KEY, heir, NOW);
          index.giveBack(heir);
          index.remove(List.of(heir));
        },
        () -> index.remove(List.of(letter)));
    expect(index.find(KEY) == null && index.find(OTHER) == null, "both are free");
    expect(index.size() == 0, "nothing is left, not " + index.size());
  }

  /** Two workers have the same outdated look at a letter's key. */
  private static void takeOverTwice() {
    KeyIndex index = new KeyIndex(1);
    KeyPage letter = new KeyPage(WorkerId.of(0), 1, LATER);
    index.take(KEY, letter, 0);
    KeyPage winner = winner((key, page) -> index.take(key, page, NOW), heir(1), heir(2), () -> {});
    expect(index.find(KEY) == winner, "it is with the worker that took it");
    index.giveBack(winner);
    expect(index.remove(List.of(winner)) == 0, "its page has given it back");
    expect(index.find(KEY) == letter && index.size() == 1, "it is the letter's again");
  }

  private static KeyPage heir(int worker) {
    StoredKeys keys = new StoredKeys(LATER + worker, new byte[0]);
    return new KeyPage(WorkerId.of(worker), 1, keys, new Succession(Map.of(KEY, RESERVATION)));
  }

  /** The page that got the key, when two want it and something else happens. */
  private static KeyPage winner(
      BiPredicate<IdempotencyKey, KeyPage> take, KeyPage first, KeyPage second, Runnable beside) {
    boolean[] got = new boolean[2];
    together(() -> got[0] = take.test(KEY, first), () -> got[1] = take.test(KEY, second), beside);
    expect(got[0] != got[1], "one of them takes it");
    return got[0] ? first : second;
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  @Test
  void oneWorkerTakesAKeyAndTheCountIsRight() {
    check(KeyIndexRaceTest::takeWhileItIsPurged);
  }

  @Test
  void aKeyThatIsGivenBackIsCountedOnce() {
    check(KeyIndexRaceTest::giveBackWhileItIsPurged);
  }

  @Test
  void oneWorkerTakesALettersKeyOver() {
    check(KeyIndexRaceTest::takeOverTwice);
  }

  /** Looks first and enters then. */
  @Test
  void anIndexWithoutALockIsCaught() {
    assertFound(
        "one of them takes it",
        () -> {
          Map<IdempotencyKey, KeyPage> racy = new ConcurrentHashMap<>();
          winner(
              (key, page) -> !racy.containsKey(key) && racy.put(key, page) != page,
              new KeyPage(WorkerId.of(0), 2, LATER),
              new KeyPage(WorkerId.of(1), 1, LATER),
              () -> {});
        });
  }
}
