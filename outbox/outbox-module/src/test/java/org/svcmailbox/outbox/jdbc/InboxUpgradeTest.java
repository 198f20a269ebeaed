package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteDataSource;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.admin.InboxAdmin.Listed;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.Delivery;
import org.svcmailbox.outbox.inbox.EventMessages;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.ScriptedConsumer;

/** An inbox from before consumers had names. */
class InboxUpgradeTest {
  @TempDir private Path directory;

  private final VirtualClock clock = new VirtualClock();
  private final MessageId processed = MessageId.next();
  private final MessageId waiting = MessageId.next();
  private final MessageId dead = MessageId.next();
  private final List<MessageId> handled = new ArrayList<>();

  private DataSource source(Database database) {
    if (database == Database.SQLITE) {
      SQLiteDataSource source = new SQLiteDataSource();
      source.setUrl("jdbc:sqlite:" + directory.resolve("upgrade.db"));
      return source;
    }
    return database == Database.H2
        ? JdbcConnectionPool.create("jdbc:h2:mem:" + processed + ";DB_CLOSE_DELAY=-1", "sa", "")
        : SharedPostgres.database("upgrade");
  }

  private void fill(DataSource source, Database database) throws Exception {
    OutboxSchema.configuration(source).target("2").load().migrate();
    String now = database == Database.SQLITE ? "1767225600000000" : "'2026-01-01T00:00:00Z'";
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (MessageId id : List.of(processed, waiting, dead)) {
        statement.executeUpdate(
            "INSERT INTO inbox_messages (message_id, subject, received_at, processed_at, attempts)"
                + " VALUES ('%s', 'shop.event.paid.v1', %s, %s, 3)"
                    .formatted(id, now, id.equals(processed) ? now : "NULL"));
      }
      statement.executeUpdate(
          "INSERT INTO inbox_dead_letters"
              + " (message_id, msg_id, original_subject, reason, attempts, dead_at, routed_at)"
              + " VALUES ('%s', 'm', 'shop.event.paid.v1', 'no', 3, %s, %s)"
                  .formatted(dead, now, now));
    }
  }

  private Handled deliver(DataSource source, String consumer, MessageId id) throws Exception {
    Delivery copy =
        new Delivery("copy", "r", 1, 0, EventMessages.attributes(id, EventMessages.PAID), "{}");
    return new InboxProcessor(
            new JdbcInboxStore(source, clock),
            new ScriptedConsumer(),
            (type, event) -> {
              handled.add(event.messageId());
              return new Processed();
            },
            new LocalGuard(),
            InboxSettings.of("shop", consumer),
            clock)
        .process(copy);
  }

  @ParameterizedTest
  @EnumSource
  void whatWasProcessedOrDeadStaysSoForAllConsumersAndNewEventsReachEach(Database database)
      throws Exception {
    DataSource source = source(database);
    fill(source, database);
    OutboxSchema.migrate(source);
    clock.advance(Duration.ofDays(1));
    MessageId fresh = MessageId.next();
    for (String consumer : List.of("shipping", "billing")) {
      assertEquals(Handled.DUPLICATE, deliver(source, consumer, processed));
      assertEquals(Handled.DUPLICATE, deliver(source, consumer, dead));
      assertEquals(Handled.PROCESSED, deliver(source, consumer, fresh));
    }
    assertEquals(List.of(fresh, fresh), handled);
    // A message that was on its way is finished where it began, by any consumer.
    assertEquals("", new JdbcBacklogs(source).inboxes().get(0).consumer());
    assertEquals(1, new JdbcBacklogs(source).inbox().count());
    assertEquals(1, new JdbcBacklogs(source).dead().count());
    assertEquals(Handled.PROCESSED, deliver(source, "billing", waiting));
    assertEquals(0, new JdbcBacklogs(source).inbox().count());
    Listed listed = new JdbcInboxAdmin(source).find(waiting).get(0);
    assertEquals(Optional.empty(), listed.consumer());
    assertEquals(4, listed.message().attempts());
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "SQLITE"})
  void whatWasBeforeIsPurged(Database database) throws Exception {
    DataSource source = source(database);
    fill(source, database);
    OutboxSchema.migrate(source);
    clock.advance(Duration.ofDays(31));
    JdbcPurge purge = new JdbcPurge(source, clock::now);
    Map<String, Integer> deleted =
        Map.of(
            "processed", purge.inbox(Duration.ofDays(30)),
            "dead", purge.deadLetters(Duration.ofDays(30)));
    assertEquals(Map.of("processed", 1, "dead", 1), deleted);
    assertEquals(Handled.PROCESSED, deliver(source, "shipping", processed));
    assertEquals(Handled.PROCESSED, deliver(source, "billing", processed));
  }
}
