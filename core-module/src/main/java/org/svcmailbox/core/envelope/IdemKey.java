package org.svcmailbox.core.envelope;

/** Makes repeated SENDs one message: 1 to 255 characters. */
public record IdemKey(String value) {
  public static final int MAX_LENGTH = 255;

  public IdemKey {
    Text.checked("idem_key", value, 1, MAX_LENGTH);
  }

  @Override
  public String toString() {
    return value;
  }
}
