package org.svcmailbox.web.redrive;

import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.JobOrder;

/** Notes of operators. */
final class Notes {
  private Notes() {}

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
    boolean isPlain = note.codePoints().allMatch(Notes::isText);
    if (!isPlain) {
      throw new SchemaException("note", "must be text");
    }
    return text;
  }

  private static boolean isText(int each) {
    boolean isControl = each < ' ' && each != '\n' && each != '\r' && each != '\t';
    return !isControl && Character.getType(each) != Character.SURROGATE;
  }
}
