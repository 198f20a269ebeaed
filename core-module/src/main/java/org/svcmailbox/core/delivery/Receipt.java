package org.svcmailbox.core.delivery;

import java.util.regex.Pattern;
import org.svcmailbox.core.problem.SchemaException;

/**
 * What one delivery is settled with: opaque to clients, made anew for each lease.
 *
 * @param value 1 to 64 of {@code A-Z a-z 0-9 -}
 */
public record Receipt(String value) {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9-]{1,64}");

  /**
   * @throws SchemaException on anything this service cannot have handed out
   */
  public Receipt {
    if (!ALLOWED.matcher(value).matches()) {
      throw new SchemaException("receipt", "is not a receipt of this service");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
