package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.test.concurrent.Deadline;

class PostgresInboxTest extends JdbcInboxContract {
  private static final DataSource SOURCE = SharedPostgres.database("inbox");

  @Override
  protected DataSource source() {
    return SOURCE;
  }

  @Test
  void copiesAreKeptApartAmongConsumersAndWithinOne() {
    MessageId id = MessageId.next();
    PostgresGuard one = new PostgresGuard(source());
    try (PostgresGuard other = new PostgresGuard(source())) {
      assertTrue(one.acquire(id));
      assertFalse(one.acquire(id));
      assertFalse(other.acquire(id));
      assertTrue(other.acquire(MessageId.next()));
      one.release(id);
      assertTrue(other.acquire(id));
      other.release(id);
      assertTrue(one.acquire(id));
      // A lost session gives its locks back, and the next message opens another.
      one.close();
      Deadline.in(Duration.ofSeconds(10)).await(() -> other.acquire(id), () -> "the lost lock");
      one.release(id);
      assertFalse(one.acquire(id));
    } finally {
      one.close();
    }
  }
}
