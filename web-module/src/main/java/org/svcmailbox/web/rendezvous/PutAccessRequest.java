package org.svcmailbox.web.rendezvous;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body that replaces all access rules. */
record PutAccessRequest(
    @Nullable List<@Nullable String> allow,
    @Nullable List<@Nullable String> block,
    @Nullable Integer postsPerMinute,
    @Nullable Integer getsPerMinute,
    @Nullable Integer windowSeconds)
    implements JsonRequest {

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  AccessRules checked() {
    FieldChecks checks = new FieldChecks();
    List<IpRange> allowed = ranges(checks, "allow", allow);
    List<IpRange> blocked = ranges(checks, "block", block);
    Integer posts = checks.required("posts_per_minute", postsPerMinute, number -> number);
    Integer gets = checks.required("gets_per_minute", getsPerMinute, number -> number);
    Integer window = checks.required("window_seconds", windowSeconds, number -> number);
    return checks.end(
        () ->
            new AccessRules(
                requireNonNull(allowed),
                requireNonNull(blocked),
                requireNonNull(posts),
                requireNonNull(gets),
                requireNonNull(window)));
  }

  private static @Nullable List<IpRange> ranges(
      FieldChecks checks, String field, @Nullable List<@Nullable String> given) {
    return checks.required(field, given, texts -> ranges(field, texts));
  }

  private static List<IpRange> ranges(String field, List<@Nullable String> texts) {
    return texts.stream().map(text -> range(field, text)).toList();
  }

  private static IpRange range(String field, @Nullable String text) {
    return IpRange.parse(String.valueOf(text))
        .orElseThrow(
            () -> new SchemaException(field, "must list address ranges such as 10.0.0.0/8"));
  }
}
