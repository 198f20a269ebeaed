package org.svcmailbox.ejb.deadletter;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterTerms;
import org.svcmailbox.ejb.store.InsertRows;
import org.svcmailbox.ejb.store.Transactions;

/** Writes letters to the table and to the full-text search. One writer at a time. */
final class LetterWrites {
  private final Transactions transactions;
  private final SearchDialect dialect;
  private final InsertRows insertTerms;

  LetterWrites(Transactions transactions) {
    this.transactions = transactions;
    this.dialect = SearchDialect.of(transactions.database());
    this.insertTerms = new InsertRows("dead_letter_search", dialect.key(), "words");
  }

  synchronized void add(Collection<DeadLetter> letters) {
    Map<LetterPosition, DeadLetter> unique = new LinkedHashMap<>();
    letters.forEach(letter -> unique.putIfAbsent(letter.position(), letter));
    for (List<DeadLetter> part : SqlRows.parts(unique.values())) {
      transactions.writeSql(connection -> add(connection, part));
    }
  }

  private void add(Connection connection, List<DeadLetter> letters) throws SQLException {
    Set<Long> known = known(connection, letters.stream().map(DeadLetter::position).toList());
    List<DeadLetter> fresh =
        letters.stream().filter(letter -> !known.contains(letter.position().bits())).toList();
    LetterRow.INSERT.run(connection, fresh.stream().map(LetterRow::of).toList());
    insertTerms.run(connection, fresh.stream().map(LetterWrites::terms).toList());
  }

  /** Replaces fingerprint and terms of some outdated rows; returns how many. */
  synchronized int regroup(int most) {
    String sql =
        "select "
            + LetterRow.SELECTED
            + " from dead_letter d where "
            + LetterRow.OUTDATED
            + " order by d.topic, d.place limit ?";
    List<DeadLetter> outdated = new SqlRows(transactions).select(LetterRow::letter, sql, most);
    for (List<DeadLetter> part : SqlRows.parts(outdated)) {
      transactions.writeSql(connection -> regroup(connection, part));
    }
    return outdated.size();
  }

  private void regroup(Connection connection, List<DeadLetter> letters) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("update dead_letter set fingerprint = ? where place = ?")) {
      for (DeadLetter letter : letters) {
        update.setLong(1, letter.fingerprint().bits());
        update.setLong(2, letter.position().bits());
        update.addBatch();
      }
      int[] unused = update.executeBatch();
    }
    List<LetterPosition> positions = letters.stream().map(DeadLetter::position).toList();
    int unused = delete(connection, "dead_letter_search", dialect.key(), positions);
    insertTerms.run(connection, letters.stream().map(LetterWrites::terms).toList());
  }

  private static Object[] terms(DeadLetter letter) {
    return new Object[] {letter.position().bits(), String.join(" ", LetterTerms.of(letter))};
  }

  private static Set<Long> known(Connection connection, List<LetterPosition> positions)
      throws SQLException {
    String sql = "select place from dead_letter where " + SqlRows.in("place", positions.size());
    Set<Long> known = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      SqlRows.setPositions(select, positions);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          known.add(rows.getLong(1));
        }
      }
    }
    return known;
  }

  synchronized int remove(Collection<LetterPosition> positions) {
    return SqlRows.parts(positions).stream().mapToInt(this::removePart).sum();
  }

  private int removePart(List<LetterPosition> positions) {
    return transactions.writeSqlAndAnswer(
        connection -> {
          delete(connection, "dead_letter_search", dialect.key(), positions);
          return delete(connection, "dead_letter", "place", positions);
        });
  }

  private static int delete(
      Connection connection, String table, String key, List<LetterPosition> positions)
      throws SQLException {
    String sql = "delete from " + table + " where " + SqlRows.in(key, positions.size());
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      SqlRows.setPositions(delete, positions);
      return delete.executeUpdate();
    }
  }
}
