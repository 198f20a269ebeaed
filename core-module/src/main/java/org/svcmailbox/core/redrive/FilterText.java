package org.svcmailbox.core.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.message.DeadLetterReason;

/** A filter as text in job rows and the audit: {@code reason=expired&attr=a%3Db}. */
public final class FilterText {
  private FilterText() {}

  /** Formats a filter; empty when it matches every letter. */
  public static String of(LetterFilter filter) {
    List<String> parts = new ArrayList<>();
    add(parts, "reason", filter.reason() == null ? null : filter.reason().text());
    filter.fingerprints().forEach(each -> add(parts, "fingerprint", each));
    add(parts, "since", filter.since());
    add(parts, "until", filter.until());
    add(parts, "attempt", filter.attempts());
    add(parts, "idem_key", filter.idemKey());
    add(parts, "corr_id", filter.corrId());
    new TreeMap<>(filter.attributes())
        .forEach((key, value) -> add(parts, "attr", encoded(key) + "=" + encoded(value)));
    add(parts, "q", filter.words().isEmpty() ? null : String.join(" ", filter.words()));
    add(parts, "job", filter.job());
    return String.join("&", parts);
  }

  private static void add(List<String> parts, String name, @Nullable Object value) {
    if (value != null) {
      parts.add(name + "=" + encoded(value.toString()));
    }
  }

  /** Parses the output of {@link #of}, or throws {@code IllegalArgumentException}. */
  public static LetterFilter parse(String text) {
    Map<String, String> values = new HashMap<>();
    Map<String, String> attributes = new HashMap<>();
    List<Fingerprint> fingerprints = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      String[] pair = pair(part);
      String value = decoded(pair[1]);
      if (pair[0].equals("attr")) {
        String[] attribute = pair(value);
        attributes.put(decoded(attribute[0]), decoded(attribute[1]));
      } else if (pair[0].equals("fingerprint")) {
        fingerprints.add(Fingerprint.parse(value));
      } else {
        values.put(pair[0], value);
      }
    }
    return filter(values, fingerprints, attributes);
  }

  private static LetterFilter filter(
      Map<String, String> values, List<Fingerprint> fingerprints, Map<String, String> attributes) {
    String reason = values.get("reason");
    String since = values.get("since");
    String until = values.get("until");
    String attempts = values.get("attempt");
    String words = values.get("q");
    String job = values.get("job");
    return new LetterFilter(
        reason == null ? null : reason(reason),
        fingerprints,
        since == null ? null : Instant.parse(since),
        until == null ? null : Instant.parse(until),
        attempts == null ? null : Integer.valueOf(attempts),
        values.get("idem_key"),
        values.get("corr_id"),
        attributes,
        words == null ? List.of() : List.of(words.split(" ", -1)),
        job == null ? null : new JobId(job));
  }

  private static DeadLetterReason reason(String text) {
    return Arrays.stream(DeadLetterReason.values())
        .filter(reason -> reason.text().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no reason is " + text));
  }

  private static String[] pair(String text) {
    int end = text.indexOf('=');
    if (end < 0) {
      throw new IllegalArgumentException("no value: " + text);
    }
    return new String[] {text.substring(0, end), text.substring(end + 1)};
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
