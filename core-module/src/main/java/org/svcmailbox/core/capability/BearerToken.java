package org.svcmailbox.core.capability;

/** The secret text of a capability, as its holder presented it. */
public record BearerToken(String value) {
  /** Hides the secret. */
  @Override
  public String toString() {
    return "BearerToken[secret]";
  }
}
