package org.svcmailbox.core.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.DeadLetterReason;

/**
 * Which of a topic's dead letters are meant: those of which everything holds that is not null.
 *
 * @param since died then or later, whole milliseconds
 * @param until died before
 * @param attempts had so many deliveries
 * @param idemKey of its sender, exactly
 * @param corrId exactly
 * @param attributes all of these, exactly; empty for any
 * @param words each is one of the words of its last error, or begins one when {@link
 *     ErrorWords#BEGINNING} is behind it; empty for any
 */
public record LetterFilter(
    @Nullable DeadLetterReason reason,
    @Nullable Fingerprint fingerprint,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Integer attempts,
    @Nullable String idemKey,
    @Nullable String corrId,
    Map<String, String> attributes,
    List<String> words) {

  /** Every letter. */
  public static final LetterFilter ALL =
      new LetterFilter(null, null, null, null, null, null, null, Map.of(), List.of());

  /** The most attributes, and the most words. */
  public static final int MOST_EACH = 8;

  public LetterFilter {
    attributes = Map.copyOf(attributes);
    words = List.copyOf(words);
    if (attributes.size() > MOST_EACH || words.size() > MOST_EACH) {
      throw new IllegalArgumentException("more than " + MOST_EACH + " attributes or words");
    }
  }

  /** The same for letters of one fingerprint. */
  public LetterFilter with(Fingerprint only) {
    return new LetterFilter(
        reason, only, since, until, attempts, idemKey, corrId, attributes, words);
  }

  /** No letter before this is meant. */
  public Place from() {
    return since == null ? Place.FIRST : Place.before(since);
  }

  /** No letter at this or behind it is meant. */
  public Place to() {
    return until == null ? Place.LAST : Place.before(until);
  }

  /** Whether more than its time tells whether a letter is meant. */
  public boolean isNarrow() {
    return !new LetterFilter(
            reason, fingerprint, null, null, attempts, idemKey, corrId, attributes, words)
        .equals(ALL);
  }
}
