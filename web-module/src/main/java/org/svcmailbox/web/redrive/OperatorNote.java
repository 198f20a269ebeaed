package org.svcmailbox.web.redrive;

import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.JobOrder;

/** Notes of operators. */
final class OperatorNote {
  private OperatorNote() {}

  /**
   * A note that can be kept.
   *
   * @throws SchemaException when it is none
   */
  static String checked(String note) {
    String text = note.strip();
    if (text.isEmpty() || note.length() > JobOrder.MAX_NOTE) {
      throw new SchemaException("note", "must have 1 to " + JobOrder.MAX_NOTE + " characters");
    }
    boolean isPlain = note.codePoints().allMatch(OperatorNote::isPrintable);
    if (!isPlain) {
      throw new SchemaException("note", "must be text");
    }
    return text;
  }

  private static boolean isPrintable(int codePoint) {
    boolean isControl =
        codePoint < ' ' && codePoint != '\n' && codePoint != '\r' && codePoint != '\t';
    return !isControl && Character.getType(codePoint) != Character.SURROGATE;
  }
}
