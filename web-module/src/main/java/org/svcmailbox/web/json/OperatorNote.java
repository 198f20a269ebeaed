package org.svcmailbox.web.json;

import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.JobSpec;

/** Validates the notes of operators. */
public final class OperatorNote {
  private OperatorNote() {}

  /**
   * Returns the note without outer blanks.
   *
   * @throws SchemaException for an empty, overlong or non-text note
   */
  public static String checked(String note) {
    String text = note.strip();
    if (text.isEmpty() || note.length() > JobSpec.MAX_NOTE) {
      throw new SchemaException("note", "must have 1 to " + JobSpec.MAX_NOTE + " characters");
    }
    boolean isPlain = note.codePoints().allMatch(OperatorNote::isPrintable);
    if (!isPlain) {
      throw new SchemaException("note", "must not have control characters");
    }
    return text;
  }

  private static boolean isPrintable(int codePoint) {
    boolean isControl =
        codePoint < ' ' && codePoint != '\n' && codePoint != '\r' && codePoint != '\t';
    return !isControl && Character.getType(codePoint) != Character.SURROGATE;
  }
}
