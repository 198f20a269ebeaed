package org.svcmailbox.core.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit are meant: those that everything holds for that is given.
 *
 * @param since from then on
 * @param until before then
 * @param action the action
 * @param subject what it was done to
 */
public record AuditFilter(
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Action action,
    @Nullable String subject) {
  /** Every entry. */
  public static final AuditFilter ALL = new AuditFilter(null, null, null, null);

  /**
   * One action, or all that begin alike.
   *
   * @param text the action, or its beginning
   * @param isBeginning whether it is the beginning only
   */
  public record Action(String text, boolean isBeginning) {
    private static final String ANY = "*";

    /** Reads an action, or a beginning and an asterisk. */
    public static Action parse(String text) {
      boolean isBeginning = text.endsWith(ANY);
      return new Action(
          isBeginning ? text.substring(0, text.length() - ANY.length()) : text, isBeginning);
    }
  }
}
