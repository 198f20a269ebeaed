package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;
import org.svcmailbox.core.delivery.SampleShard;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;
import org.svcmailbox.ejb.sendlog.JpaSendLog;
import org.svcmailbox.ejb.topic.JpaTopicStore;

/** Migrates a database of an earlier version with its rows. */
class SchemaUpgradeTest {
  private static final MigrationVersion BEFORE = MigrationVersion.fromVersion("1");

  /** When each key had a row. */
  private static final MigrationVersion WITH_ROWS = MigrationVersion.fromVersion("2");

  private static final String ZEROS = "00".repeat(32);

  @RegisterExtension static final TestDatabase POSTGRES = TestDatabase.postgres();

  @TempDir private Path directory;

  @Test
  void sqliteKeepsItsRows() throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve("old.db"));
    upgrade(source);
  }

  @Test
  void postgresKeepsItsRows() throws SQLException {
    upgrade(emptyPostgres("old_mailbox"));
  }

  private static DataSource emptyPostgres(String name) throws SQLException {
    execute(POSTGRES.source(), "create database " + name);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(((PGSimpleDataSource) POSTGRES.source()).getUrl());
    source.setUser("postgres");
    source.setDatabaseName(name);
    return source;
  }

  private static void upgrade(DataSource source) throws SQLException {
    Database database = Database.of(source);
    Schema.migrate(source, database, BEFORE);
    execute(
        source,
        "insert into topic (name, ready_shards, retention_dlq, t_replay)"
            + " values ('orders', 6, 3600000, 60000)",
        "insert into topic (name, ready_shards) values ('plain', 4)",
        "insert into ledger_start (topic_id, shard, seq, link) values (1, 5, 7, "
            + (database == Database.SQLITE ? "x'" + ZEROS + "'" : "'\\x" + ZEROS + "'")
            + ")",
        "insert into audit (at, actor, address, action, subject, note)"
            + " values (1, 'somebody', '', 'x', 'y', 'z')");

    Schema.migrate(source, database);

    try (OpenDatabase open = OpenDatabase.of(source)) {
      TopicStore store = new JpaTopicStore(open.transactions());
      StoredTopic orders = store.find(new TopicName("orders")).orElseThrow();
      assertEquals(
          new TopicState(
              new TopicOverrides(
                  6,
                  null,
                  Duration.ofSeconds(60),
                  null,
                  null,
                  null,
                  null,
                  new RetentionOverrides(null, null, null, null, Duration.ofHours(1), null)),
              false,
              6,
              6),
          orders.state());
      assertEquals(
          TopicState.fresh(TopicOverrides.NONE, 4),
          store.find(new TopicName("plain")).orElseThrow().state());
      assertEquals(
          7,
          new JpaSendLog(open.transactions(), InstantSource.fixed(Instant.EPOCH))
              .ledgerStart(orders.id(), 5)
              .seq());
      store.update(orders.name(), TopicState.fresh(TopicOverrides.NONE, TopicSettings.MAX_SHARDS));
      assertEquals(
          List.of("orders", "plain"),
          store.all().stream().map(topic -> topic.name().value()).sorted().toList());
    }
    assertEquals(1, count(source, "audit"));
  }

  @Test
  void sqliteKeepsItsKeys() throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve("keys.db"));
    upgradeKeys(source);
  }

  @Test
  void postgresKeepsItsKeys() throws SQLException {
    upgradeKeys(emptyPostgres("old_keys"));
  }

  /** A thousand keys that expire one after the other, and a batch in doubt with three of them. */
  private static void upgradeKeys(DataSource source) throws SQLException {
    Database database = Database.of(source);
    Schema.migrate(source, database, WITH_ROWS);
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rows.add(shard.row("k" + i, Instant.ofEpochMilli(1_000 + i % 400)));
    }
    List<Row> doubtful = rows.subList(500, 503);
    insert(source, rows, database == Database.POSTGRESQL);
    ByteBuffer places = ByteBuffer.allocate(4 + 16 + 3 * 16);
    places.putInt(1).putInt(1).putInt(0).putLong(501);
    doubtful.forEach(row -> places.put(row.key().bytes()));
    insertBatch(source, places.array());
    int[] sizes = {80, 1_600, 40_960};
    for (int size : sizes) {
      insertPage(source, size);
    }

    Schema.migrate(source, database);

    try (OpenDatabase open = OpenDatabase.of(source)) {
      SendLog log = new JpaSendLog(open.transactions(), InstantSource.fixed(Instant.EPOCH));
      assertEquals(1_000, log.countKeys());
      assertEquals(
          Arrays.stream(sizes).mapToLong(database::rowBytes).sum(),
          log.ledgerBytes(),
          "the ledgers that were there are counted");
      List<IdempotencyKey> keys = rows.stream().map(Row::key).toList();
      Map<IdempotencyKey, Reservation> expected = new HashMap<>();
      rows.forEach(row -> expected.put(row.key(), row.reservation()));
      assertEquals(expected, SampleShard.reservations(log.find(keys)));

      assertEquals(7, log.lastBatch(1).last().number());
      log.withdraw(1, 7);
      doubtful.forEach(row -> expected.remove(row.key()));
      assertEquals(expected, SampleShard.reservations(log.find(keys)));

      assertEquals(597, log.purgeExpired(Instant.ofEpochMilli(1_200), 1_000_000));
      assertEquals(400, log.countKeys());
    }
  }

  private static void insert(DataSource source, List<Row> rows, boolean hasUuids)
      throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into idempotency (key_hash, msg_id, payload_hash, expires_at)"
                    + " values (?, ?, ?, ?)")) {
      for (Row row : rows) {
        insert.setObject(1, id(row.key().bytes(), hasUuids));
        insert.setObject(2, id(row.reservation().msgId().bytes(), hasUuids));
        insert.setBytes(3, row.reservation().payloadHash().bytes());
        insert.setLong(4, row.reservation().expiresAt().toEpochMilli());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static Object id(byte[] bytes, boolean hasUuids) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return hasUuids ? new UUID(in.getLong(), in.getLong()) : bytes;
  }

  private static void insertBatch(DataSource source, byte[] places) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into send_batch (worker, batch_no, places) values (1, 7, ?)")) {
      insert.setBytes(1, places);
      insert.executeUpdate();
    }
  }

  private static void insertPage(DataSource source, int size) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("insert into ledger_page values (9, 0, ?, ?)")) {
      insert.setLong(1, size);
      insert.setBytes(2, new byte[size]);
      insert.executeUpdate();
    }
  }

  private static long count(DataSource source, String table) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(DataSource source, String... statements) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.executeUpdate(text);
      }
    }
  }
}
