package org.svcmailbox.web.rendezvous;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of a token rotation. */
record RotateTokenRequest(@Nullable String overlap) implements JsonRequest {
  /**
   * Returns how long both tokens are valid.
   *
   * @throws org.svcmailbox.core.problem.SchemaException for a missing or malformed duration
   */
  Duration checked() {
    FieldChecks checks = new FieldChecks();
    Duration both =
        checks.required("overlap", overlap, text -> FieldChecks.duration("overlap", text));
    return checks.end(() -> requireNonNull(both));
  }
}
