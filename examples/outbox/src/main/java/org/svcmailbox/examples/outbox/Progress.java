package org.svcmailbox.examples.outbox;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.svcmailbox.outbox.jdbc.JdbcBacklogs;

/** How far each order has come, from the tables of outbox and inbox. */
@ApplicationScoped
public class Progress {
  private static final int MAX_ROWS = 50;

  private static final List<String> TIMES = List.of("recorded", "accepted", "received", "handled");

  private static final String ORDERS =
      """
      SELECT o.number, o.item, o.quantity, o.destination, e.occurred_at AS recorded,
        e.published_at AS accepted, i.received_at AS received, i.processed_at AS handled, d.reason
      FROM orders o
      LEFT JOIN outbox_events e ON e.id = o.event_id
      LEFT JOIN inbox_messages i ON i.message_id = o.event_id
      LEFT JOIN inbox_dead_letters d ON d.message_id = o.event_id
      ORDER BY o.number DESC LIMIT\s"""
          + MAX_ROWS;

  @Resource(lookup = Messaging.PLAIN_DATABASE)
  private DataSource database;

  @PersistenceContext private EntityManager entities;

  /** The last orders, newest first. */
  JsonArray orders() throws SQLException {
    JsonArrayBuilder orders = Json.createArrayBuilder();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ORDERS)) {
      while (row.next()) {
        orders.add(order(row));
      }
    }
    return orders.build();
  }

  private static JsonObjectBuilder order(ResultSet row) throws SQLException {
    JsonObjectBuilder order =
        Json.createObjectBuilder()
            .add("order", row.getLong("number"))
            .add("item", row.getString("item"))
            .add("quantity", row.getInt("quantity"))
            .add("destination", row.getString("destination"));
    for (String time : TIMES) {
      OffsetDateTime value = row.getObject(time, OffsetDateTime.class);
      if (value != null) {
        order.add(time, value.toInstant().toString());
      }
    }
    String reason = row.getString("reason");
    return reason == null ? order : order.add("dead_letter", reason);
  }

  /** How many events the mailbox has not accepted yet. */
  long backlog() {
    return new JdbcBacklogs(database).outbox().count();
  }

  /** The last shipments, newest order first. */
  JsonArray shipments() {
    JsonArrayBuilder shipments = Json.createArrayBuilder();
    entities
        .createQuery("SELECT s FROM Shipment s ORDER BY s.order DESC", Shipment.class)
        .setMaxResults(MAX_ROWS)
        .getResultList()
        .forEach(
            shipment ->
                shipments.add(
                    Json.createObjectBuilder()
                        .add("order", shipment.order())
                        .add("destination", shipment.destination())));
    return shipments.build();
  }
}
