package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for messages of one peer, and the question to it that is under way. A newer
 * question replaces that one. Few calls are woken for a report: as many more for each further one
 * that follows at once. A call that is woken waits no more, so nothing needs to be undone if its
 * client is gone. Times are ticker nanoseconds. Any thread.
 */
final class ReadyWatch<W> {
  /** The most topics in a question; calls for others look now and then. */
  static final int MOST_NAMED = 256;

  /** The least time between two questions, and from a report to the next question for its topic. */
  static final Duration APART = Duration.ofMillis(10);

  /** The time from a failure to the next question. */
  static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** A report that follows so soon says that the calls woken for the last one were too few. */
  static final Duration AT_ONCE = Duration.ofMillis(100);

  /** The most calls that are woken for a report. */
  static final int MOST_WOKEN = 64;

  private final Map<ReadyKey, Waiting<W>> keys = new LinkedHashMap<>();
  private Set<ReadyKey> named = Set.of();
  private @Nullable Long nextAt;
  private long number;

  /** The calls for one key, oldest first. */
  private static final class Waiting<W> {
    private final Set<W> calls = new LinkedHashSet<>();
    private @Nullable Long reportedAt;
    private int woken = 1;

    boolean rests(long now) {
      return reportedAt != null && now - reportedAt < APART.toNanos();
    }

    int wake(long now) {
      boolean isAtOnce = reportedAt != null && now - reportedAt < AT_ONCE.toNanos();
      woken = isAtOnce ? Math.min(2 * woken, MOST_WOKEN) : 1;
      reportedAt = now;
      return woken;
    }
  }

  /** A question for these keys. */
  record Question(long number, List<ReadyKey> keys) {}

  synchronized void add(ReadyKey key, W call) {
    keys.computeIfAbsent(key, unused -> new Waiting<>()).calls.add(call);
  }

  synchronized void remove(ReadyKey key, W call) {
    Waiting<W> waiting = keys.get(key);
    if (waiting != null) {
      waiting.calls.remove(call);
    }
  }

  /** Begins a question if the one under way does not name all that calls wait for; else null. */
  synchronized @Nullable Question begin(long now) {
    if (nextAt != null && now - nextAt < 0) {
      return null;
    }
    keys.values().removeIf(waiting -> waiting.calls.isEmpty() && !waiting.rests(now));
    Set<ReadyKey> wanted = named.size() == MOST_NAMED ? Set.of() : wanted(now);
    if (named.containsAll(wanted)) {
      return null;
    }
    named = wanted;
    nextAt = now + APART.toNanos();
    number++;
    return new Question(number, List.copyOf(wanted));
  }

  /** Keys that are named go behind the others, so each has its turn. */
  private Set<ReadyKey> wanted(long now) {
    Set<ReadyKey> wanted = new LinkedHashSet<>();
    for (Map.Entry<ReadyKey, Waiting<W>> one : keys.entrySet()) {
      boolean isAwaited = !one.getValue().calls.isEmpty() && !one.getValue().rests(now);
      if (isAwaited && wanted.size() < MOST_NAMED) {
        wanted.add(one.getKey());
      }
    }
    if (keys.size() > MOST_NAMED) {
      wanted.forEach(key -> keys.put(key, keys.remove(key)));
    }
    return wanted;
  }

  /** Ends a question; returns the calls to wake, by key, and how many of them. */
  synchronized List<Report> answered(Question question, Collection<ReadyKey> ready, long now) {
    ended(question);
    List<Report> reports = new ArrayList<>();
    for (ReadyKey key : ready) {
      Waiting<W> waiting = keys.get(key);
      if (waiting != null) {
        reports.add(new Report(key, waiting.wake(now)));
      }
    }
    return reports;
  }

  /** Ends a question that has no answer. */
  synchronized void failed(Question question, long now) {
    if (question.number() == number) {
      nextAt = now + AFTER_FAILURE.toNanos();
    }
    ended(question);
  }

  private void ended(Question question) {
    if (question.number() == number) {
      named = Set.of();
    }
  }

  /** A key with messages, and how many calls are to be woken. */
  record Report(ReadyKey key, int calls) {}

  /** Removes the oldest call for a key; null if none waits. */
  synchronized @Nullable W next(ReadyKey key) {
    Waiting<W> waiting = keys.get(key);
    if (waiting == null || waiting.calls.isEmpty()) {
      return null;
    }
    W first = waiting.calls.iterator().next();
    waiting.calls.remove(first);
    return first;
  }

  /** Whether the question under way names a key. */
  synchronized boolean isNamed(ReadyKey key) {
    return named.contains(key);
  }

  /** Calls that wait; a call counts once for each key. */
  synchronized int calls() {
    return keys.values().stream().mapToInt(waiting -> waiting.calls.size()).sum();
  }
}
