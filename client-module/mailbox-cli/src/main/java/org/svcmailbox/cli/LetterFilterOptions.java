package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select dead letters; a letter must match all of them. */
final class LetterFilterOptions {
  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description = "max_attempts, rejected, expired, integrity, unreadable or max_delivery.")
  private @Nullable String reason;

  @Option(
      names = "--fingerprint",
      paramLabel = "HEX",
      description = "Of this group, as groups prints it; repeat it for several.")
  private List<String> fingerprints = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Dead since then, such as 2026-11-22T03:00:00Z.")
  private @Nullable Instant since;

  @Option(names = "--until", paramLabel = "TIME", description = "Dead before then.")
  private @Nullable Instant until;

  @Option(names = "--attempt", paramLabel = "NUMBER", description = "After so many deliveries.")
  private @Nullable Integer attempt;

  @Option(names = "--key", paramLabel = "KEY", description = "Sent with this key.")
  private @Nullable String key;

  @Option(names = "--corr-id", paramLabel = "ID", description = "With this correlation id.")
  private @Nullable String correlationId;

  @Option(names = "--attr", paramLabel = "NAME=VALUE", description = "With this attribute.")
  private Map<String, String> attributes = new TreeMap<>();

  @Option(
      names = {"-q", "--query"},
      paramLabel = "WORDS",
      description = "With these words in the last error; word* for any that begin so.")
  private @Nullable String words;

  @Option(
      names = "--job",
      paramLabel = "JOB_ID",
      converter = Values.JobId.class,
      description = "Dead again since this job redrove them.")
  private @Nullable String job;

  boolean isEmpty() {
    return json().isEmpty();
  }

  /** Adds the filter to a query. */
  PathQuery addTo(PathQuery query) {
    query
        .with("reason", reason)
        .with("since", since)
        .with("until", until)
        .with("attempt", attempt)
        .with("idem_key", key)
        .with("corr_id", correlationId)
        .with("q", words)
        .with("job", job);
    fingerprints.forEach(each -> query.with("fingerprint", each));
    attributes.forEach((name, value) -> query.with("attr", name + "=" + value));
    return query;
  }

  /** The filter in the form of a job. */
  ObjectNode json() {
    ObjectNode json = JsonOutput.object();
    put(json, "reason", reason);
    if (!fingerprints.isEmpty()) {
      json.set("fingerprints", JsonOutput.json(fingerprints));
    }
    put(json, "since", since);
    put(json, "until", until);
    if (attempt != null) {
      json.put("attempt", attempt);
    }
    put(json, "idem_key", key);
    put(json, "corr_id", correlationId);
    if (!attributes.isEmpty()) {
      json.set("attrs", JsonOutput.json(attributes));
    }
    put(json, "q", words);
    put(json, "job", job);
    return json;
  }

  private static void put(ObjectNode json, String field, @Nullable Object value) {
    if (value != null) {
      json.put(field, value.toString());
    }
  }
}
