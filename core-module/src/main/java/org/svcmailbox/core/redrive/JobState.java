package org.svcmailbox.core.redrive;

import java.util.Locale;

/** Where a job stands. */
public enum JobState {
  /** It moves letters, or waits to. */
  RUNNING,
  /** An operator stopped it for now. */
  PAUSED,
  /** It has come to every letter. */
  DONE,
  /** An operator ended it. */
  CANCELLED,
  /** It cannot go on. */
  FAILED;

  /** Whether nothing will happen any more. */
  public boolean isOver() {
    return this != RUNNING && this != PAUSED;
  }

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
