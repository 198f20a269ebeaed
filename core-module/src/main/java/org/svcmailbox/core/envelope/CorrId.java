package org.svcmailbox.core.envelope;

import com.github.f4b6a3.uuid.UuidCreator;

/**
 * The id that ties one message's traces together: a UUIDv7 unless the sender gave one.
 *
 * @param value 1 to 128 characters
 */
public record CorrId(String value) {
  /** The longest id, in characters. */
  public static final int MAX_LENGTH = 128;

  public CorrId {
    Text.checked("corr_id", value, 1, MAX_LENGTH);
  }

  /** A fresh UUIDv7. */
  public static CorrId random() {
    return new CorrId(UuidCreator.getTimeOrderedEpoch().toString());
  }

  @Override
  public String toString() {
    return value;
  }
}
