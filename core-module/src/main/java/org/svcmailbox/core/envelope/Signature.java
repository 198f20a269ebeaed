package org.svcmailbox.core.envelope;

/**
 * A detached signature that the sender made and the service only carries.
 *
 * @param value 1 to 1024 characters
 */
public record Signature(String value) {
  /** The longest signature, in characters. */
  public static final int MAX_LENGTH = 1024;

  public Signature {
    Text.checked("sig", value, 1, MAX_LENGTH);
  }
}
