package org.svcmailbox.undertow.intake;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The answers of a server that clients have not taken at once. If these hold too much, the answer
 * whose client is furthest behind is ended, so that clients that read are served. Any thread.
 */
final class HeldAnswers {
  private final Set<HeldAnswer> all = ConcurrentHashMap.newKeySet();

  void add(HeldAnswer answer) {
    all.add(answer);
  }

  void remove(HeldAnswer answer) {
    all.remove(answer);
  }

  /**
   * Cuts off the client that is furthest behind.
   *
   * @param least how many nanoseconds it must be behind
   * @return whether one was cut off
   */
  boolean cutLatest(Predicate<HeldAnswer> which, long least) {
    long now = System.nanoTime();
    return all.stream()
        .filter(which)
        .map(answer -> new Late(answer, answer.nanosBehind(now)))
        .max(Comparator.comparingLong(Late::nanos))
        .filter(latest -> latest.nanos() >= least && latest.answer().cut())
        .isPresent();
  }

  private record Late(HeldAnswer answer, long nanos) {}
}
