package org.svcmailbox.web.capability;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityNote;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of a mint request. */
record MintRequest(
    @Nullable List<@Nullable String> caveats, @Nullable String expiresIn, @Nullable String note)
    implements JsonRequest {
  /** The body in core types. */
  record Checked(List<String> caveats, Duration life, @Nullable String note) {}

  /**
   * Converts the body to core types.
   *
   * @throws SchemaException naming every refused field
   */
  Checked checked() {
    FieldChecks checks = new FieldChecks();
    List<String> texts = checks.required("caveats", caveats, MintRequest::texts);
    Duration life =
        checks.required("expires_in", expiresIn, text -> FieldChecks.duration("expires_in", text));
    String name = checks.optional(note, CapabilityNote::checked);
    return checks.end(() -> new Checked(requireNonNull(texts), requireNonNull(life), name));
  }

  private static List<String> texts(List<@Nullable String> given) {
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i) == null) {
        throw new SchemaException("caveats[" + i + "]", "must be a string");
      }
    }
    return given.stream().map(text -> requireNonNull(text)).toList();
  }
}
