package org.svcmailbox.web.redrive;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body that changes the rate of a job. */
record RateRequest(@Nullable Long ratePerS) implements JsonRequest {

  /**
   * Converts to letters per second.
   *
   * @throws SchemaException naming the refused field
   */
  int checked() {
    FieldChecks checks = new FieldChecks();
    Integer rate = checks.required("rate_per_s", ratePerS, RateRequest::rate);
    return checks.end(() -> requireNonNull(rate));
  }

  static Integer rate(long rate) {
    if (rate < 1 || rate > JobSpec.MAX_RATE) {
      throw new SchemaException("rate_per_s", "must be between 1 and " + JobSpec.MAX_RATE);
    }
    return (int) rate;
  }
}
