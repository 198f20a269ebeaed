package org.svcmailbox.web.deadletter;

import java.util.HexFormat;
import java.util.regex.Pattern;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.http.Query;

/** The start of a page as opaque text. */
final class Cursor {
  private static final Pattern FORM = Pattern.compile("[0-7][0-9a-f]{15}");

  private Cursor() {}

  static String text(LetterPosition position) {
    return HexFormat.of().toHexDigits(position.bits());
  }

  /**
   * Parses the output of {@link #text}.
   *
   * @throws SchemaException for any other text
   */
  static LetterPosition parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw Query.unknownCursor();
    }
    return new LetterPosition(HexFormat.fromHexDigitsToLong(text));
  }
}
