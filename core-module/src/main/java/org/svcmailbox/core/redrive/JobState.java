package org.svcmailbox.core.redrive;

import java.util.Locale;

public enum JobState {
  RUNNING,
  PAUSED,
  /** It reached every letter. */
  DONE,
  CANCELLED,
  /** It cannot continue. */
  FAILED;

  /** Whether the state is final. */
  public boolean isOver() {
    return this != RUNNING && this != PAUSED;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
