package org.svcmailbox.core.redrive;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.svcmailbox.core.problem.SchemaException;

/** The id of a job: {@code j} and 16 lower-case hex digits. No message id has this form. */
public record JobId(String value) {
  private static final Pattern FORM = Pattern.compile("j[0-9a-f]{16}");

  public JobId {
    if (!FORM.matcher(value).matches()) {
      throw new SchemaException("job_id", "must be j and 16 hex digits in lower case");
    }
  }

  public static JobId random(RandomGenerator random) {
    return new JobId("j" + HexFormat.of().toHexDigits(random.nextLong()));
  }

  @Override
  public String toString() {
    return value;
  }
}
