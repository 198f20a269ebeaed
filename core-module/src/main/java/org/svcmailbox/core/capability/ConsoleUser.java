package org.svcmailbox.core.capability;

import java.util.regex.Pattern;

/**
 * Somebody who is signed in to the console.
 *
 * @param name 1 to 100 characters, none of them a control or a blank at an end
 * @param role what they may do
 */
public record ConsoleUser(String name, ConsoleRole role) {
  /** The longest name. */
  public static final int MAX_NAME = 100;

  private static final Pattern NAME =
      Pattern.compile("\\S|\\S[^\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]*\\S");

  public ConsoleUser {
    if (!isName(name)) {
      throw new IllegalArgumentException("not a user's name");
    }
  }

  /** Whether somebody can be called so. */
  public static boolean isName(String name) {
    return name.length() <= MAX_NAME && NAME.matcher(name).matches();
  }

  /** What the audit calls them. */
  String actor() {
    return "console:" + name;
  }
}
