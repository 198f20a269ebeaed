package org.svcmailbox.web.deadletter;

import java.util.HexFormat;
import java.util.regex.Pattern;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.problem.SchemaException;

/** Where a page begins, as text that means nothing to clients. */
final class Cursor {
  static final String NAME = "cursor";

  private static final Pattern FORM = Pattern.compile("[0-7][0-9a-f]{15}");

  private Cursor() {}

  static String text(Place place) {
    return HexFormat.of().toHexDigits(place.bits());
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws SchemaException when it is anything else
   */
  static Place parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new SchemaException(NAME, "must be the next_cursor of an answer");
    }
    return new Place(HexFormat.fromHexDigitsToLong(text));
  }
}
