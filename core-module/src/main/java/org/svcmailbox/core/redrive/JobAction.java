package org.svcmailbox.core.redrive;

import java.util.Locale;

/** What a job does with letters. */
public enum JobAction {
  /** They become messages again. */
  REPROCESS,
  /** They are removed for good. */
  DISCARD;

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
