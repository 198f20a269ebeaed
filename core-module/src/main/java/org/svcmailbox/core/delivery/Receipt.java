package org.svcmailbox.core.delivery;

import org.svcmailbox.core.envelope.Text;
import org.svcmailbox.core.problem.SchemaException;

/**
 * An opaque token that settles one delivery, new for each lease: 1 to 64 of {@code A-Z a-z 0-9 -}.
 */
public record Receipt(String value) {
  private static final int MAX_LENGTH = 64;

  /** Throws {@link SchemaException} for a value this service never makes. */
  public Receipt {
    if (!Text.isName(value, MAX_LENGTH, "-")) {
      throw new SchemaException("receipt", "is not a receipt of this service");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
