package org.svcmailbox.web.rendezvous;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.json.DurationText;
import org.svcmailbox.web.json.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The body of a token's rotation. */
record RotateTokenRequest(@Nullable String overlap) implements JsonRequest {
  /**
   * How long both tokens are good.
   *
   * @throws org.svcmailbox.core.problem.SchemaException when it is not said, or no duration
   */
  Duration checked() {
    FieldChecks checks = new FieldChecks();
    Duration both =
        checks.required("overlap", overlap, text -> DurationText.parse("overlap", text));
    return checks.end(() -> requireNonNull(both));
  }
}
