package org.svcmailbox.capability;

/** A text is not a capability. The message does not repeat it. */
public final class MalformedCapabilityException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedCapabilityException(String why) {
    super("the token is no capability: " + why);
  }
}
