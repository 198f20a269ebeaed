package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxStoreContract;
import org.svcmailbox.outbox.inbox.InboxTransaction;

abstract class JdbcInboxContract extends InboxStoreContract {
  /** A database. */
  protected abstract DataSource source() throws Exception;

  @BeforeEach
  void createTheTables() throws Exception {
    OutboxSchema.migrate(source());
  }

  @Override
  protected InboxStore store() throws Exception {
    return new JdbcInboxStore(source(), clock);
  }

  private interface Reader<T> {
    T read(Database database, ResultSet row) throws SQLException;
  }

  private <T> Optional<T> find(String sql, MessageId id, Reader<T> reader) throws Exception {
    try (Connection connection = source().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      Database database = Database.of(connection);
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(reader.read(database, row)) : Optional.empty();
      }
    }
  }

  @Override
  protected Optional<InboxMessage> find(MessageId id) throws Exception {
    return find(
        "SELECT * FROM inbox_messages WHERE message_id = ?",
        id,
        (database, row) ->
            new InboxMessage(
                UUID.fromString(row.getString("message_id")),
                row.getString("subject"),
                database.time(row, "received_at"),
                database.optionalTime(row, "processed_at").orElse(null),
                row.getInt("attempts"),
                row.getString("last_error")));
  }

  @Override
  protected boolean isRecorded(MessageId id) throws Exception {
    return find("SELECT id FROM outbox_events WHERE id = ?", id, (database, row) -> true)
        .isPresent();
  }

  private void receive(MessageId id) throws Exception {
    try (InboxTransaction transaction = store().begin()) {
      transaction.messages().insert(InboxMessage.received(id, "shop.event.paid.v1", clock.now()));
      transaction.commit();
    }
  }

  @Test
  void processedMessagesArePurgedWhenTheyAreOldAndOthersAreNot() throws Exception {
    MessageId processed = MessageId.next();
    MessageId dead = MessageId.next();
    MessageId open = MessageId.next();
    for (MessageId id : List.of(processed, dead, open)) {
      receive(id);
    }
    try (InboxTransaction transaction = store().begin()) {
      transaction.messages().markProcessed(processed);
      transaction
          .deadLetters()
          .put(
              new DeadLetter(
                  dead, "m", EventSubject.of("shop", "paid", 1), "no", 1, clock.now(), null));
      transaction.commit();
    }
    JdbcPurge purge = new JdbcPurge(source(), clock::now);
    clock.advance(Duration.ofDays(30).plusNanos(1_000));
    while (purge.inbox(Duration.ofDays(30)) + purge.deadLetters(Duration.ofDays(30)) > 0) {}
    assertEquals(Optional.empty(), find(processed));
    assertEquals(Optional.empty(), find(dead));
    assertTrue(find(open).isPresent());
    try (InboxTransaction transaction = store().begin()) {
      assertEquals(Optional.empty(), transaction.deadLetters().find(dead));
    }
  }

  @Test
  void theBacklogIsWhatIsNotProcessed() throws Exception {
    long before = new JdbcBacklogs(source()).inbox().count();
    MessageId id = MessageId.next();
    receive(id);
    assertEquals(before + 1, new JdbcBacklogs(source()).inbox().count());
    try (InboxTransaction transaction = store().begin()) {
      transaction.messages().markProcessed(id);
      transaction.commit();
    }
    assertEquals(before, new JdbcBacklogs(source()).inbox().count());
  }
}
