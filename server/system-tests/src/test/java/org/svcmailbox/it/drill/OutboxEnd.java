package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.svcmailbox.it.client.MailboxClient;

/**
 * The ids of events where they are at the end.
 *
 * @param recorded in the outbox
 * @param published in the outbox, and marked
 * @param processed in the inbox, and marked
 * @param told to be dead, by events of the inbox in the outbox
 * @param letters in the dead letters of the service
 */
record OutboxEnd(
    Set<String> recorded,
    Set<String> published,
    Set<String> processed,
    List<String> told,
    List<String> letters) {
  private static final String APPLICATION =
      "FROM outbox_events WHERE aggregate_type = '" + OutboxWriter.AGGREGATE + "'";

  static OutboxEnd read(DataSource source, MailboxClient client, String topic)
      throws IOException, SQLException {
    try (Connection connection = source.getConnection()) {
      return new OutboxEnd(
          new HashSet<>(ids(connection, "SELECT id " + APPLICATION)),
          new HashSet<>(
              ids(connection, "SELECT id " + APPLICATION + " AND published_at IS NOT NULL")),
          new HashSet<>(
              ids(
                  connection,
                  "SELECT message_id FROM inbox_messages WHERE processed_at IS NOT NULL")),
          ids(
              connection,
              "SELECT aggregate_id FROM outbox_events WHERE aggregate_type = 'inbox_message'"),
          letters(client, topic));
    }
  }

  private static List<String> ids(Connection connection, String sql) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }

  private static List<String> letters(MailboxClient client, String topic) throws IOException {
    List<String> letters = new ArrayList<>();
    String path = "/v1/dlq/" + topic + "?limit=100";
    String cursor = "";
    do {
      JsonNode page = client.get(path + cursor).expect(200).json();
      letters.addAll(page.path("letters").findValuesAsText("idem_key"));
      cursor = page.has("next_cursor") ? "&cursor=" + page.path("next_cursor").asText() : "";
    } while (!cursor.isEmpty());
    return letters;
  }
}
