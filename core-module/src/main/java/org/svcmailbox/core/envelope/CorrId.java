package org.svcmailbox.core.envelope;

import com.github.f4b6a3.uuid.UuidCreator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.SchemaException;

/** Connects one message's traces: a UUIDv7 unless the sender gave another id. */
public record CorrId(String value) {
  public static final int MAX_LENGTH = 128;

  public CorrId {
    Text.checked("corr_id", value, 1, MAX_LENGTH);
  }

  /** The id that a client asked for, or a new one when it asked for none or for an invalid one. */
  public static CorrId orRandom(@Nullable String requested) {
    try {
      return requested != null ? new CorrId(requested) : random();
    } catch (SchemaException e) {
      return random();
    }
  }

  /** Not a secret: its random bits can be guessed. */
  public static CorrId random() {
    return new CorrId(UuidCreator.getTimeOrderedEpochFast().toString());
  }

  @Override
  public String toString() {
    return value;
  }
}
