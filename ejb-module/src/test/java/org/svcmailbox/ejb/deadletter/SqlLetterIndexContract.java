package org.svcmailbox.ejb.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterIndexContract;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.SampleLetters;
import org.svcmailbox.ejb.store.InsertRows;
import org.svcmailbox.ejb.store.TestDatabase;

abstract class SqlLetterIndexContract implements LetterIndexContract {
  /** Version 1; its first digit is that of version 2 by chance. */
  private static final long LIKE_THIS_VERSION = 0x2d71_3ae8_5b01_a32bL;

  private static final long OLD = 0x8d71_3ae8_5b01_a32bL;

  private final TestDatabase database;
  private final LetterIndex index;

  SqlLetterIndexContract(TestDatabase database) {
    this.database = database;
    this.index = new SqlLetterIndex(database.transactions());
  }

  @Override
  public LetterIndex index() {
    return index;
  }

  @Override
  public void age(LetterPosition position) {
    age(position, OLD);
  }

  private void age(LetterPosition position, long fingerprint) {
    String key = SearchDialect.of(database.transactions().database()).key();
    InsertRows terms = new InsertRows("dead_letter_search", key, "words");
    database
        .transactions()
        .writeSql(
            connection -> {
              run(
                  connection,
                  "update dead_letter set fingerprint = " + fingerprint + at("place", position),
                  "delete from dead_letter_search" + at(key, position));
              terms.run(
                  connection,
                  List.<Object[]>of(
                      new Object[] {position.bits(), "f" + Long.toHexString(fingerprint)}));
            });
  }

  private static String at(String key, LetterPosition position) {
    return " where " + key + " = " + position.bits();
  }

  private static void run(Connection connection, String... commands) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String command : commands) {
        int unused = statement.executeUpdate(command);
      }
    }
  }

  @Test
  void theMigrationFindsEveryRowOfTheEarlierRules() throws IOException {
    DeadLetter letter = new SampleLetters(3).next();
    index.add(List.of(letter));
    age(letter.position(), LIKE_THIS_VERSION);
    assertFalse(index.isOutdated(letter.topic()));
    String migration = resource("/db/migration/V2__error_groups.sql").replaceAll("(?m)^--.*$", "");
    String update = migration.substring(0, migration.indexOf(';'));
    database.transactions().writeSql(connection -> run(connection, update));

    assertTrue(index.isOutdated(letter.topic()));
    assertEquals(1, index.regroup(10));
    assertFalse(index.isOutdated(letter.topic()));
    LetterFilter alike = LetterFilter.ALL.with(letter.fingerprint());
    assertEquals(List.of(letter), index.page(letter.topic(), alike, LetterPosition.LAST, 10));
  }

  private static String resource(String name) throws IOException {
    try (InputStream script = SqlLetterIndex.class.getResourceAsStream(name)) {
      return new String(requireNonNull(script, name).readAllBytes(), UTF_8);
    }
  }
}
