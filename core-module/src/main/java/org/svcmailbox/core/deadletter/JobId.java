package org.svcmailbox.core.deadletter;

import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.problem.SchemaException;

/** The id of a job: {@code j} and 16 lower-case hex digits. No message id has this form. */
public record JobId(String value) {
  private static final String NOTE = "job ";
  private static final int LENGTH = 17;
  private static final Pattern FORM = Pattern.compile("j[0-9a-f]{16}");

  public JobId {
    if (!FORM.matcher(value).matches()) {
      throw new SchemaException("job_id", "must be j and 16 hex digits in lower case");
    }
  }

  public static JobId random(RandomGenerator random) {
    return new JobId("j" + HexFormat.of().toHexDigits(random.nextLong()));
  }

  /** The note of a redrive in the history of a message. */
  public String note(Actor startedBy) {
    return NOTE + value + ", started by " + startedBy.text();
  }

  /** The job in the output of {@link #note}, if the text begins with one. */
  public static Optional<JobId> ofNote(String note) {
    int end = NOTE.length() + LENGTH;
    return note.startsWith(NOTE) && note.length() >= end
        ? Optional.of(note.substring(NOTE.length(), end))
            .filter(id -> FORM.matcher(id).matches())
            .map(JobId::new)
        : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}
