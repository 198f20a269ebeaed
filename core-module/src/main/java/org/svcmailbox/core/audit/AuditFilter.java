package org.svcmailbox.core.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects audit entries from {@code since} until before {@code until}; null criteria match all.
 *
 * @param actorName a name, or the id of an actor without one
 */
public record AuditFilter(
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Action action,
    @Nullable String subject,
    @Nullable String actorName) {
  public static final AuditFilter ALL = new AuditFilter(null, null, null, null, null);

  /** One action, or all actions with a common prefix. */
  public record Action(String text, boolean isBeginning) {
    private static final String ANY = "*";

    /** Reads an action, or a prefix followed by an asterisk. */
    public static Action parse(String text) {
      boolean isBeginning = text.endsWith(ANY);
      return new Action(
          isBeginning ? text.substring(0, text.length() - ANY.length()) : text, isBeginning);
    }
  }
}
