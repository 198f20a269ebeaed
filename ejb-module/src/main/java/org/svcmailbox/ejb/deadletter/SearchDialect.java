package org.svcmailbox.ejb.deadletter;

import java.util.List;
import java.util.stream.Collectors;
import org.svcmailbox.core.deadletter.LetterTerms.Term;
import org.svcmailbox.ejb.store.Database;

/** The full-text search of a database: FTS5 of SQLite, tsvector of PostgreSQL. */
enum SearchDialect {
  SQLITE("rowid", "dead_letter_search match ?", " AND ", " OR ", "%s", "%s*"),
  POSTGRESQL(
      "place", "dead_letter_search.terms @@ cast(? as tsquery)", " & ", " | ", "'%s'", "'%s':*");

  private final String key;
  private final String match;
  private final String and;
  private final String or;
  private final String whole;
  private final String beginning;

  SearchDialect(String key, String match, String and, String or, String whole, String beginning) {
    this.key = key;
    this.match = match;
    this.and = and;
    this.or = or;
    this.whole = whole;
    this.beginning = beginning;
  }

  static SearchDialect of(Database database) {
    return switch (database) {
      case SQLITE -> SQLITE;
      case POSTGRESQL -> POSTGRESQL;
    };
  }

  /** The search table's column of positions. */
  String key() {
    return key;
  }

  /** The condition that a row matches {@link #query}. */
  String match() {
    return match;
  }

  /** The query for letters that have all these terms. */
  String query(List<Term> terms) {
    return terms.stream().map(this::query).collect(Collectors.joining(and));
  }

  private String query(Term term) {
    String form = term.isBeginning() ? beginning : whole;
    return term.texts().stream().map(form::formatted).collect(Collectors.joining(or, "(", ")"));
  }
}
