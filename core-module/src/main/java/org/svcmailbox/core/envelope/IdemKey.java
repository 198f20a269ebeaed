package org.svcmailbox.core.envelope;

/**
 * The key a sender gives so that a repeated SEND is one message.
 *
 * @param value 1 to 255 characters
 */
public record IdemKey(String value) {
  /** The longest key, in characters. */
  public static final int MAX_LENGTH = 255;

  public IdemKey {
    Text.checked("idem_key", value, 1, MAX_LENGTH);
  }

  @Override
  public String toString() {
    return value;
  }
}
