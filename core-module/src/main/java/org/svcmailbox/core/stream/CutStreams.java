package org.svcmailbox.core.stream;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.stream.MessageStream.Terms;

/** The streams that were cut a moment ago, for clients that resume. Bounded: the oldest go. */
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

  /** A stream that can be resumed at this time. */
  synchronized Optional<Terms> find(String id, long now) {
    Cut cut = cuts.get(id);
    return cut == null || now - cut.until() >= 0 ? Optional.empty() : Optional.of(cut.terms());
  }

  /** Gives a stream to the first that asks. */
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
