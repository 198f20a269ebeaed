package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.QueueClient;

/** A queue in a table, whose rows are locked while they are processed. */
final class PostgresClient implements QueueClient {
  private final byte[] payload = LoadPayload.bytes();
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final PreparedStatement delete;

  PostgresClient(Connection connection, String table) throws SQLException {
    this.connection = connection;
    connection.setAutoCommit(false);
    insert = connection.prepareStatement("insert into " + table + " (payload) values (?)");
    select =
        connection.prepareStatement(
            "select id, payload from " + table + " order by id limit ? for update skip locked");
    delete = connection.prepareStatement("delete from " + table + " where id = any (?)");
  }

  @Override
  public void send(int messages) throws SQLException {
    for (int i = 0; i < messages; i++) {
      insert.setBytes(1, payload);
      insert.addBatch();
    }
    insert.executeBatch();
    connection.commit();
  }

  @Override
  public int receive(int most) throws SQLException {
    List<Long> ids = lock(most);
    if (!ids.isEmpty()) {
      Array array = connection.createArrayOf("bigint", ids.toArray());
      delete.setArray(1, array);
      delete.executeUpdate();
    }
    connection.commit();
    return ids.size();
  }

  private List<Long> lock(int most) throws SQLException {
    List<Long> ids = new ArrayList<>();
    select.setInt(1, most);
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        if (rows.getBytes(2).length != payload.length) {
          throw new SQLException("unexpected payload");
        }
      }
    }
    return ids;
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
