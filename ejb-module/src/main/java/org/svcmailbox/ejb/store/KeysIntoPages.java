package org.svcmailbox.ejb.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/**
 * Version 4: moves keys from rows of {@code idempotency} to {@code idempotency_page}. Keys of a
 * worker's last batch, which may be in doubt, become that batch's page; the rest go to a fictitious
 * worker. In Java, because the databases share no SQL to concatenate bytes.
 */
final class KeysIntoPages implements JavaMigration {
  private static final int ENTRY_BYTES = 64;
  private static final int MOST_ENTRIES = 512;
  private static final int FETCHED_AT_ONCE = 1_000;
  private static final int ID_BYTES = 16;

  /** No worker has this number. */
  private static final int FORMER = -1;

  /** The batch that reserved a key. */
  private record Taker(int worker, long batchNo) {}

  private record Place(Taker taker, long expiresAt) {}

  /** Entries of one page. */
  private static final class Page {
    private final Place place;
    private final ByteArrayOutputStream entries = new ByteArrayOutputStream();

    Page(Place place) {
      this.place = place;
    }

    boolean hasRoomFor(long expiresAt) {
      return place.expiresAt() == expiresAt && entries.size() < MOST_ENTRIES * ENTRY_BYTES;
    }

    void write(PreparedStatement insert) throws SQLException {
      if (entries.size() == 0) {
        return;
      }
      insert.setInt(1, place.taker().worker());
      insert.setLong(2, place.taker().batchNo());
      insert.setLong(3, place.expiresAt());
      insert.setBytes(4, entries.toByteArray());
      insert.executeUpdate();
    }
  }

  @Override
  public MigrationVersion getVersion() {
    return MigrationVersion.fromVersion("4");
  }

  @Override
  public String getDescription() {
    return "keys into pages";
  }

  @Override
  public Integer getChecksum() {
    return 1;
  }

  @Override
  public boolean canExecuteInTransaction() {
    return true;
  }

  @Override
  public void migrate(Context context) throws SQLException {
    Connection connection = context.getConnection();
    Map<UUID, Taker> newest = takeNewest(connection);
    move(connection, newest);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("drop table idempotency");
    }
  }

  /** The keys of the workers' last batches, which were listed in their pages. */
  private static Map<UUID, Taker> takeNewest(Connection connection) throws SQLException {
    Map<UUID, Taker> newest = new HashMap<>();
    Map<Integer, byte[]> places = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select worker, batch_no, places from send_batch")) {
      while (row.next()) {
        ByteBuffer in = ByteBuffer.wrap(row.getBytes(3));
        int pages = Integer.BYTES + in.getInt() * ID_BYTES;
        places.put(row.getInt(1), ByteBuffer.allocate(pages).put(in.array(), 0, pages).array());
        in.position(pages);
        while (in.hasRemaining()) {
          newest.put(
              new UUID(in.getLong(), in.getLong()), new Taker(row.getInt(1), row.getLong(2)));
        }
      }
    }
    update(connection, places);
    return newest;
  }

  private static void update(Connection connection, Map<Integer, byte[]> places)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("update send_batch set places = ? where worker = ?")) {
      for (Map.Entry<Integer, byte[]> one : places.entrySet()) {
        update.setBytes(1, one.getValue());
        update.setInt(2, one.getKey());
        update.executeUpdate();
      }
    }
  }

  private static void move(Connection connection, Map<UUID, Taker> newest) throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into idempotency_page (worker, batch_no, expires_at, entries)"
                    + " values (?, ?, ?, ?)")) {
      statement.setFetchSize(FETCHED_AT_ONCE);
      try (ResultSet row =
          statement.executeQuery(
              "select key_hash, msg_id, payload_hash, expires_at from idempotency"
                  + " order by expires_at")) {
        move(row, newest, insert);
      }
    }
  }

  private static void move(ResultSet row, Map<UUID, Taker> newest, PreparedStatement insert)
      throws SQLException {
    Map<Place, Page> doubtful = new HashMap<>();
    Page former = former(0, Long.MIN_VALUE);
    while (row.next()) {
      UUID key = id(row.getObject(1));
      long expiresAt = row.getLong(4);
      Taker taker = newest.get(key);
      Page page;
      if (taker != null) {
        page = doubtful.computeIfAbsent(new Place(taker, expiresAt), Page::new);
      } else {
        if (!former.hasRoomFor(expiresAt)) {
          former.write(insert);
          former = former(former.place.taker().batchNo() + 1, expiresAt);
        }
        page = former;
      }
      page.entries.writeBytes(entry(key, id(row.getObject(2)), row.getBytes(3)));
    }
    former.write(insert);
    for (Page page : doubtful.values()) {
      page.write(insert);
    }
  }

  private static Page former(long batchNo, long expiresAt) {
    return new Page(new Place(new Taker(FORMER, batchNo), expiresAt));
  }

  private static byte[] entry(UUID key, UUID msgId, byte[] payloadHash) {
    return ByteBuffer.allocate(ENTRY_BYTES)
        .putLong(key.getMostSignificantBits())
        .putLong(key.getLeastSignificantBits())
        .putLong(msgId.getMostSignificantBits())
        .putLong(msgId.getLeastSignificantBits())
        .put(payloadHash)
        .array();
  }

  private static UUID id(Object column) {
    if (column instanceof UUID id) {
      return id;
    }
    ByteBuffer bytes = ByteBuffer.wrap((byte[]) column);
    return new UUID(bytes.getLong(), bytes.getLong());
  }
}
