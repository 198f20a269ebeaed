package org.svcmailbox.core.capability;

import java.util.Locale;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.problem.SchemaException;

/** The note of a minting: the name of its holder in the audit, jobs and histories. */
public final class CapabilityNote {
  private static final String FIELD = "note";

  private CapabilityNote() {}

  /**
   * Returns the note without outer blanks.
   *
   * @throws SchemaException unless 1 to 255 visible characters and blanks remain, or if it names a
   *     console user
   */
  public static String checked(String text) {
    String note = text.strip();
    if (note.isEmpty() || note.length() > Actor.MAX_NAME) {
      throw new SchemaException(FIELD, "must have 1 to " + Actor.MAX_NAME + " characters");
    }
    if (note.codePoints().anyMatch(CapabilityNote::isInvisible)) {
      throw new SchemaException(FIELD, "must not have control or invisible characters");
    }
    if (begin(note).toLowerCase(Locale.ROOT).startsWith(Actor.CONSOLE)) {
      throw new SchemaException(FIELD, "must not begin with " + Actor.CONSOLE);
    }
    return note;
  }

  /** The note from its first letter on: {@code strip} keeps blanks that do not break a line. */
  private static String begin(String note) {
    return note.codePoints()
        .dropWhile(Character::isSpaceChar)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Whether a reader could take the text for another one. */
  private static boolean isInvisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }
}
