package org.svcmailbox.core.redrive;

import java.util.Arrays;

/** The action of a job on its letters. */
public enum JobAction {
  /** Turns letters into messages. */
  REDRIVE("reprocess"),
  DISCARD("discard");

  private final String text;

  JobAction(String text) {
    this.text = text;
  }

  /** The form in JSON and in the database. */
  public String text() {
    return text;
  }

  /** Parses the output of {@link #text}, or throws {@code IllegalArgumentException}. */
  public static JobAction parse(String text) {
    return Arrays.stream(values())
        .filter(action -> action.text.equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown action " + text));
  }
}
