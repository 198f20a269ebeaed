package org.svcmailbox.web.deadletter;

import static java.util.Objects.requireNonNullElse;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.ErrorWords;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.http.Query;

/** Parses the query parameters that filter dead letters. */
final class FilterQuery {
  private static final String REASON = "reason";
  private static final String FINGERPRINT = "fingerprint";
  private static final String SINCE = "since";
  private static final String UNTIL = "until";
  private static final String ATTEMPT = "attempt";
  private static final String IDEM_KEY = "idem_key";
  private static final String CORR_ID = "corr_id";
  private static final String ATTR = "attr";
  private static final String TEXT = "q";
  private static final String JOB = "job";

  /** The largest {@code max_attempts} a topic can have. */
  private static final int MAX_ATTEMPTS = 1_000;

  /** The parameters that {@link #read} uses. */
  static final Set<String> NAMES =
      Set.of(REASON, FINGERPRINT, SINCE, UNTIL, ATTEMPT, IDEM_KEY, CORR_ID, ATTR, TEXT, JOB);

  private FilterQuery() {}

  /** Reads the filter; the query reports refused values when it ends. */
  static LetterFilter read(Query query) {
    return new LetterFilter(
        query.value(REASON, FilterQuery::reason),
        requireNonNullElse(
            query.values(FINGERPRINT, texts -> fingerprints(FINGERPRINT, texts)), List.of()),
        query.moment(SINCE),
        query.moment(UNTIL),
        attempt(query),
        query.value(IDEM_KEY, text -> new IdemKey(text).value()),
        query.value(CORR_ID, text -> new CorrId(text).value()),
        requireNonNullElse(query.values(ATTR, FilterQuery::attributes), Map.of()),
        requireNonNullElse(query.value(TEXT, FilterQuery::words), List.of()),
        query.value(JOB, FilterQuery::job));
  }

  static DeadLetterReason reason(String text) {
    return Query.oneOf(REASON, text, DeadLetterReason.values(), DeadLetterReason::text);
  }

  static List<Fingerprint> fingerprints(String field, List<@Nullable String> texts) {
    if (texts.isEmpty() || texts.size() > LetterFilter.MOST_FINGERPRINTS) {
      throw new SchemaException(
          field, "must have 1 to " + LetterFilter.MOST_FINGERPRINTS + " values");
    }
    return texts.stream().map(text -> fingerprint(field, String.valueOf(text))).toList();
  }

  private static Fingerprint fingerprint(String field, String text) {
    Fingerprint given;
    try {
      given = Fingerprint.parse(text);
    } catch (IllegalArgumentException e) {
      throw new SchemaException(field, "must be 16 hex digits in lower case");
    }
    if (!given.isCurrent()) {
      throw new SchemaException(field, "must begin with 2; look the group up again");
    }
    return given;
  }

  static JobId job(String text) {
    try {
      return new JobId(text);
    } catch (SchemaException e) {
      throw new SchemaException(JOB, e.violations().get(0).message());
    }
  }

  private static @Nullable Integer attempt(Query query) {
    Long attempt = query.number(ATTEMPT, 0, MAX_ATTEMPTS);
    return attempt == null ? null : attempt.intValue();
  }

  static Integer attempt(long attempt) {
    if (attempt < 0 || attempt > MAX_ATTEMPTS) {
      throw new SchemaException(ATTEMPT, "must be between 0 and " + MAX_ATTEMPTS);
    }
    return (int) attempt;
  }

  private static Map<String, String> attributes(List<String> pairs) {
    if (pairs.size() > LetterFilter.MOST_EACH) {
      throw new SchemaException(ATTR, "may appear at most " + LetterFilter.MOST_EACH + " times");
    }
    Map<String, String> attributes = new HashMap<>();
    for (String pair : pairs) {
      int end = pair.indexOf('=');
      if (end < 0) {
        throw new SchemaException(ATTR, "must be key=value");
      }
      if (attributes.put(pair.substring(0, end), pair.substring(end + 1)) != null) {
        throw new SchemaException(ATTR, "repeats a key");
      }
    }
    return checked(attributes);
  }

  private static Map<String, String> checked(Map<String, String> attributes) {
    try {
      return new Attributes(attributes).values();
    } catch (SchemaException e) {
      throw new SchemaException(ATTR, e.violations().get(0).message());
    }
  }

  static List<String> words(String text) {
    List<String> words = ErrorWords.typed(text);
    if (words.isEmpty() || words.size() > LetterFilter.MOST_EACH) {
      throw new SchemaException(TEXT, "must have 1 to " + LetterFilter.MOST_EACH + " words");
    }
    return words;
  }
}
