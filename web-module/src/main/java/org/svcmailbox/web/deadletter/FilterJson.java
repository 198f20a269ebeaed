package org.svcmailbox.web.deadletter;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.http.Query;

/**
 * A filter as a JSON object: the query parameters of the letter list, with {@code fingerprints} as
 * a list and attributes as an object.
 */
public record FilterJson(
    @Nullable String reason,
    @Nullable List<@Nullable String> fingerprints,
    @Nullable String since,
    @Nullable String until,
    @Nullable Long attempt,
    @Nullable String idemKey,
    @Nullable String corrId,
    @Nullable Map<String, @Nullable String> attrs,
    @Nullable String q,
    @Nullable String job) {
  private static final String FILTER = "filter.";

  /** Converts a filter; one that matches every letter has no fields. */
  public static FilterJson of(LetterFilter filter) {
    return new FilterJson(
        filter.reason() == null ? null : filter.reason().text(),
        filter.fingerprints().isEmpty()
            ? null
            : filter.fingerprints().stream().map(Fingerprint::toString).toList(),
        filter.since() == null ? null : Timestamps.text(filter.since()),
        filter.until() == null ? null : Timestamps.text(filter.until()),
        filter.attempts() == null ? null : filter.attempts().longValue(),
        filter.idemKey(),
        filter.corrId(),
        filter.attributes().isEmpty() ? null : new TreeMap<>(filter.attributes()),
        filter.words().isEmpty() ? null : String.join(" ", filter.words()),
        filter.job() == null ? null : filter.job().value());
  }

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field, as {@code filter.reason}
   */
  public LetterFilter checked() {
    FieldChecks checks = new FieldChecks();
    var why = checks.optional(reason, FilterQuery::reason);
    var alike =
        checks.optional(fingerprints, texts -> FilterQuery.fingerprints("fingerprints", texts));
    var from = checks.optional(since, text -> Query.moment("since", text));
    var to = checks.optional(until, text -> Query.moment("until", text));
    var attempts = checks.optional(attempt, FilterQuery::attempt);
    var key = checks.optional(idemKey, text -> new IdemKey(text).value());
    var correlation = checks.optional(corrId, text -> new CorrId(text).value());
    var attributes = checks.optional(attrs, FilterJson::attributes);
    var words = checks.optional(q, FilterQuery::words);
    var redrivenBy = checks.optional(job, FilterQuery::job);
    try {
      return checks.end(
          () ->
              new LetterFilter(
                  why,
                  alike == null ? List.of() : alike,
                  from,
                  to,
                  attempts,
                  key,
                  correlation,
                  attributes == null ? Map.of() : attributes,
                  words == null ? List.of() : words,
                  redrivenBy));
    } catch (SchemaException e) {
      throw new SchemaException(
          e.violations().stream()
              .map(one -> new FieldViolation(FILTER + one.field(), one.message()))
              .toList());
    }
  }

  private static Map<String, String> attributes(Map<String, @Nullable String> given) {
    if (given.size() > LetterFilter.MOST_EACH) {
      throw new SchemaException(
          "attrs", "must have at most " + LetterFilter.MOST_EACH + " entries");
    }
    return new Attributes(FieldChecks.strings("attrs", given)).values();
  }
}
