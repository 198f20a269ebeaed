package org.svcmailbox.core.audit;

import org.jspecify.annotations.Nullable;

/**
 * The actor of an action: a capability, a console user, or the service itself.
 *
 * @param id {@code key:nonce} of the capability used, {@link #CONSOLE} and a user's name, or a word
 *     such as {@code service}
 * @param name for people: the capability's note, or the console user; null for none
 */
public record Actor(String id, @Nullable String name) {
  /** The prefix of the ids and names of console users. */
  public static final String CONSOLE = "console:";

  /** The longest name, in characters. */
  public static final int MAX_NAME = 255;

  /** The actor of changes that the service makes itself. */
  public static final Actor SERVICE = new Actor("service", null);

  public Actor {
    name = name == null && id.startsWith(CONSOLE) ? id : name;
  }

  /** A user of the console. */
  public static Actor ofConsole(String user) {
    return new Actor(CONSOLE + user, null);
  }

  /** The name with the id, for texts; the id alone if there is no other name. */
  public String text() {
    return name == null || name.equals(id) ? id : name + " (" + id + ")";
  }
}
