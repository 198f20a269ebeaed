package org.svcmailbox.outbox.jdbc;

import java.util.Optional;

/** A condition of SQL: a column contains a text, in any case. Without a text it always holds. */
final class TextFilter {
  private TextFilter() {}

  /** The condition, with one parameter. A null in the column counts as empty. */
  static String condition(String column) {
    return "LOWER(COALESCE(" + column + ", '')) LIKE LOWER(?) ESCAPE '!'";
  }

  /** The parameter. */
  static String parameter(Optional<String> text) {
    return text.map(part -> "%" + part.replaceAll("[!%_]", "!$0").replace('\0', ' ') + "%")
        .orElse("%");
  }
}
