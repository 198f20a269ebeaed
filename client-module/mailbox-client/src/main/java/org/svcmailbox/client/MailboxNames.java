package org.svcmailbox.client;

import java.util.regex.Pattern;

/** The rule for the names of mailboxes: 1 to 255 of {@code A-Z a-z 0-9 . _ -}. */
public final class MailboxNames {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,255}");

  private MailboxNames() {}

  /** Whether a mailbox can have this name. */
  public static boolean isValid(String name) {
    return ALLOWED.matcher(name).matches();
  }

  /**
   * Returns the name.
   *
   * @throws IllegalArgumentException if no mailbox can have it
   */
  public static String require(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException("a mailbox's name is 1 to 255 of A-Z a-z 0-9 . _ -");
    }
    return name;
  }
}
