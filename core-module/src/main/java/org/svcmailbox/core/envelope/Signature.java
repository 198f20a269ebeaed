package org.svcmailbox.core.envelope;

/** A detached signature of the sender, 1 to 1024 characters; the service does not check it. */
public record Signature(String value) {
  public static final int MAX_LENGTH = 1024;

  public Signature {
    Text.checked("sig", value, 1, MAX_LENGTH);
  }
}
