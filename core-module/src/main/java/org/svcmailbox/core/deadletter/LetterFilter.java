package org.svcmailbox.core.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.DeadLetterReason;

/**
 * Selects dead letters of one topic; null and empty criteria match all. A letter must have one of
 * the fingerprints and match every other criterion. Times include {@code since} and exclude {@code
 * until}; words may end in {@link ErrorWords#BEGINNING}.
 */
public record LetterFilter(
    @Nullable DeadLetterReason reason,
    List<Fingerprint> fingerprints,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Integer attempts,
    @Nullable String idemKey,
    @Nullable String corrId,
    Map<String, String> attributes,
    List<String> words,
    @Nullable JobId job) {

  public static final LetterFilter ALL =
      new LetterFilter(null, List.of(), null, null, null, null, null, Map.of(), List.of(), null);

  public static final int MOST_EACH = 8;

  public static final int MOST_FINGERPRINTS = 20;

  public LetterFilter {
    fingerprints = fingerprints.stream().distinct().sorted().toList();
    attributes = Map.copyOf(attributes);
    words = List.copyOf(words);
    if (attributes.size() > MOST_EACH || words.size() > MOST_EACH) {
      throw new IllegalArgumentException("more than " + MOST_EACH + " attributes or words");
    }
    if (fingerprints.size() > MOST_FINGERPRINTS) {
      throw new IllegalArgumentException("more than " + MOST_FINGERPRINTS + " fingerprints");
    }
  }

  public LetterFilter with(Fingerprint... only) {
    return new LetterFilter(
        reason, List.of(only), since, until, attempts, idemKey, corrId, attributes, words, job);
  }

  public LetterPosition from() {
    return since == null ? LetterPosition.FIRST : LetterPosition.before(since);
  }

  /** The position after the last one that can match. */
  public LetterPosition to() {
    return until == null ? LetterPosition.LAST : LetterPosition.before(until);
  }

  /** Whether it names groups that earlier rules made, so that it can find nothing. */
  public boolean isOutdated() {
    return !fingerprints.stream().allMatch(Fingerprint::isCurrent);
  }

  /** Whether it has criteria other than time. */
  public boolean isNarrow() {
    return !new LetterFilter(
            reason, fingerprints, null, null, attempts, idemKey, corrId, attributes, words, job)
        .equals(ALL);
  }
}
