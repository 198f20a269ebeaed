package org.svcmailbox.core.capability;

import java.util.regex.Pattern;
import org.svcmailbox.core.audit.Actor;

/** A console user. A name has 1 to 100 characters, no control characters and no outer blanks. */
public record ConsoleUser(String name, ConsoleRole role) {
  public static final int MAX_NAME = 100;

  private static final Pattern NAME =
      Pattern.compile("\\S|\\S[^\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]*\\S");

  public ConsoleUser {
    if (!isName(name)) {
      throw new IllegalArgumentException("not a user's name");
    }
  }

  public static boolean isName(String name) {
    return name.length() <= MAX_NAME && NAME.matcher(name).matches();
  }

  Actor actor() {
    return Actor.ofConsole(name);
  }
}
