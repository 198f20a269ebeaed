package org.svcmailbox.ejb.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.ejb.store.TestDatabase;

/** Which database and broker may serve together, and what they bear afterwards. */
interface PairContract {
  PairId ONE = new PairId("11111111-1111-1111-1111-111111111111");
  PairId OTHER = new PairId("22222222-2222-2222-2222-222222222222");
  Optional<String> NOTHING = Optional.empty();

  TestDatabase database();

  InMemoryBrokerMark broker();

  private DatabaseMark mark() {
    return new DatabaseMark(database().source());
  }

  private Pair pair() {
    return new Pair(mark(), broker());
  }

  private void execute(String statement) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement executed = connection.createStatement()) {
      executed.executeUpdate(statement);
    }
  }

  private void isMarked(PairId id) throws SQLException {
    assertEquals(new DatabaseMark.Content(id, null, mark().read().wasUsed()), mark().read());
    assertEquals(Set.of(id), broker().ids);
  }

  private String refused(Optional<String> join) throws SQLException {
    DatabaseMark.Content before = mark().read();
    Set<PairId> inBroker = Set.copyOf(broker().ids);
    PairException refusal = assertThrows(PairException.class, () -> pair().require(join));
    assertEquals(before, mark().read());
    assertEquals(inBroker, broker().ids);
    return String.valueOf(refusal.getMessage());
  }

  @BeforeEach
  default void forget() throws SQLException {
    execute("update store_identity set id = null, next_id = null");
    broker().ids.clear();
    broker().wasUsed = false;
  }

  @Test
  default void newStoresBecomeAPairAndStayOne() throws SQLException {
    PairId id = pair().require(NOTHING);
    assertNull(mark().read().id(), "written before it was decided");
    pair().mark(id);
    isMarked(id);
    assertEquals(id, pair().require(NOTHING));
    assertEquals(id, pair().require(Optional.of("anything")));
    pair().mark(id);
    isMarked(id);
  }

  @Test
  default void storesThatWereUsedBeforeThereWereIdsBecomeAPair() throws SQLException {
    execute("insert into send_log (worker, applied, stamp, ledger_bytes) values (0, 1, 7, 0)");
    broker().wasUsed = true;
    pair().mark(pair().require(NOTHING));
    assertEquals(1, broker().ids.size());
  }

  @Test
  default void aUsedDatabaseWithoutAnIdRefusesABrokerThatNoWorkerEverSaw() throws SQLException {
    execute("insert into send_log (worker, applied, stamp, ledger_bytes) values (0, 1, 7, 0)");
    assertTrue(refused(NOTHING).contains("mailbox.store.join=unmarked"));
    pair().mark(pair().require(Optional.of("unmarked")));
    assertEquals(1, broker().ids.size());
  }

  @Test
  default void storesOfTwoPairsAreRefusedByBothNamesAndJoinedByOne() throws SQLException {
    execute("update store_identity set id = '" + ONE + "'");
    broker().add(OTHER);
    String refusal = refused(NOTHING);
    assertTrue(refusal.contains(ONE.text()) && refusal.contains(OTHER.text()), refusal);
    assertTrue(refusal.endsWith("mailbox.store.join=" + ONE), refusal);
    assertFalse(refusal.contains("\n"), refusal);
    refused(Optional.of(OTHER.text()));

    PairId joined = pair().require(Optional.of(ONE.text()));
    assertFalse(Set.of(ONE, OTHER).contains(joined));
    pair().mark(joined);
    isMarked(joined);
  }

  @Test
  default void aDatabaseOfAPairRefusesAnEmptyBroker() throws SQLException {
    execute("update store_identity set id = '" + ONE + "'");
    assertTrue(refused(NOTHING).endsWith("mailbox.store.join=" + ONE));
    assertNotEquals(ONE, pair().require(Optional.of(ONE.text())));
  }

  @Test
  default void aBrokerOfAPairRefusesAnEmptyDatabase() throws SQLException {
    broker().add(OTHER);
    assertTrue(refused(NOTHING).endsWith("mailbox.store.join=" + OTHER));
    assertNotEquals(OTHER, pair().require(Optional.of(OTHER.text())));
  }

  @Test
  default void aSettingThatIsLeftBehindJoinsNothingElse() throws SQLException {
    execute("update store_identity set id = '" + ONE + "'");
    Optional<String> join = Optional.of(ONE.text());
    pair().mark(pair().require(join));
    broker().ids.clear();
    refused(join);
  }

  @Test
  default void aMarkThatACrashCutOffIsCompleted() throws SQLException {
    execute("update store_identity set id = '" + ONE + "'");
    broker().add(OTHER);
    PairId joined = pair().require(Optional.of(ONE.text()));

    mark().announce(joined);
    refused(NOTHING);
    broker().add(joined);
    assertEquals(joined, pair().require(NOTHING), "both halves know of it");
    broker().remove(OTHER);
    assertEquals(joined, pair().require(NOTHING));
    pair().mark(joined);
    isMarked(joined);
  }

  @Test
  default void ofNewStoresTheMarkIsBegunAgain() throws SQLException {
    PairId id = pair().require(NOTHING);
    mark().announce(id);
    PairId next = pair().require(NOTHING);
    pair().mark(next);
    isMarked(next);
  }

  @Test
  default void aDatabaseOfAVersionBeforeTheFirstReleaseIsRefusedAndUnchanged() throws SQLException {
    mark().requireReadable();
    execute("create table send_batch (worker integer not null primary key, places text)");
    try {
      execute("insert into send_batch (worker, places) values (0, 'kept')");
      execute("update store_identity set id = '" + ONE + "'");
      DatabaseMark.Content before = mark().read();

      PairException refusal = assertThrows(PairException.class, mark()::requireReadable);

      String text = String.valueOf(refusal.getMessage());
      assertTrue(text.contains("version before 0.1"), text);
      assertFalse(text.contains("\n"), text);
      assertEquals(before, mark().read());
      assertEquals("kept", text("select places from send_batch"));
    } finally {
      execute("drop table send_batch");
    }
    mark().requireReadable();
  }

  private String text(String query) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      assertTrue(row.next());
      return row.getString(1);
    }
  }
}
