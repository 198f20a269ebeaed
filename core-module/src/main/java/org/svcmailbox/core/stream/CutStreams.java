package org.svcmailbox.core.stream;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.stream.MessageStream.Terms;

/**
 * Streams that were cut recently, for clients that resume them. Bounded: the oldest ones are
 * dropped.
 */
final class CutStreams {
  /** How long a cut stream can be resumed. */
  static final Duration KEPT = Duration.ofSeconds(30);

  private static final int MOST = 1_024;

  private record Cut(Terms terms, long until) {}

  private final Map<String, Cut> cuts = new LinkedHashMap<>();

  synchronized void add(Terms terms, long now) {
    cuts.put(terms.id(), new Cut(terms, now + KEPT.toNanos()));
    if (cuts.size() > MOST) {
      cuts.remove(cuts.keySet().iterator().next());
    }
  }

  /** The terms of a stream that can be resumed now; empty if there is none. */
  synchronized Optional<Terms> find(String id, long now) {
    Cut cut = cuts.get(id);
    return cut == null || now - cut.until() >= 0 ? Optional.empty() : Optional.of(cut.terms());
  }

  /** As above; also removes the stream, so that only the first caller gets it. */
  synchronized Optional<Terms> take(String id, long now) {
    Optional<Terms> found = find(id, now);
    cuts.remove(id);
    return found;
  }

  synchronized void expire(long now) {
    cuts.values().removeIf(cut -> now - cut.until() >= 0);
  }

  synchronized int size() {
    return cuts.size();
  }
}
