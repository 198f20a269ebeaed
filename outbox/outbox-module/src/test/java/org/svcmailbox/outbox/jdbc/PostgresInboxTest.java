package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.EventMessages;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.InboxCommands;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.RouteOutcome;
import org.svcmailbox.test.concurrent.Deadline;

class PostgresInboxTest extends JdbcInboxContract {
  private static final DataSource SOURCE = SharedPostgres.database("inbox");

  @Override
  protected DataSource source() {
    return SOURCE;
  }

  @Test
  void aCommandWaitsForATransactionThatHasReadTheMessage() throws Exception {
    MessageId id = MessageId.next();
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction
          .messages()
          .insert(InboxMessage.received(id, EventMessages.PAID.value(), clock.now()));
      transaction.commit();
    }
    EventHandler handler = (type, payload) -> new Processed();
    InboxCommands commands = new InboxCommands(store(), handler, new LocalGuard(), CONSUMER, clock);
    FutureTask<RouteOutcome> route =
        new FutureTask<>(() -> commands.route(id, "given up", EventMessages.PAID));
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      assertTrue(transaction.message(id).isPresent());
      new Thread(route).start();
      Deadline.in(Duration.ofSeconds(10))
          .await(() -> SharedPostgres.isAnyoneWaiting(SOURCE), () -> "the command");
      transaction
          .deadLetters()
          .put(new DeadLetter(id, "m", EventMessages.PAID, "no", 1, clock.now(), null));
      transaction.commit();
    }
    assertEquals(RouteOutcome.ALREADY_ROUTED, route.get(10, TimeUnit.SECONDS));
  }

  @Test
  void copiesAreKeptApartAmongConsumersAndWithinOne() {
    MessageId id = MessageId.next();
    PostgresGuard one = new PostgresGuard(source());
    try (PostgresGuard other = new PostgresGuard(source())) {
      assertTrue(one.acquire(CONSUMER, id));
      assertFalse(one.acquire(CONSUMER, id));
      assertFalse(other.acquire(CONSUMER, id));
      assertTrue(other.acquire(CONSUMER, MessageId.next()));
      one.release(CONSUMER, id);
      assertTrue(other.acquire(CONSUMER, id));
      other.release(CONSUMER, id);
      assertTrue(one.acquire(CONSUMER, id));
      // A lost session gives its locks back, and the next message opens another.
      one.close();
      Deadline.in(Duration.ofSeconds(10))
          .await(() -> other.acquire(CONSUMER, id), () -> "the lost lock");
      one.release(CONSUMER, id);
      assertFalse(one.acquire(CONSUMER, id));
    } finally {
      one.close();
    }
  }

  @Test
  void aSessionThatGoesBackToItsPoolHoldsNoLocks() throws Exception {
    MessageId id = MessageId.next();
    try (Connection session = source().getConnection();
        PostgresGuard other = new PostgresGuard(source())) {
      PostgresGuard pooled = new PostgresGuard(poolOf(session));
      assertTrue(pooled.acquire(CONSUMER, id));
      assertFalse(other.acquire(CONSUMER, id));
      pooled.close();
      assertFalse(session.isClosed());
      assertTrue(other.acquire(CONSUMER, id));
    }
  }

  /** Gives one connection, which stays open when it is closed. */
  private static DataSource poolOf(Connection session) {
    Connection pooled =
        proxy(
            Connection.class,
            (method, arguments) ->
                method.getName().equals("close") ? null : method.invoke(session, arguments));
    return proxy(DataSource.class, (method, arguments) -> pooled);
  }

  private interface Call {
    @Nullable Object to(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.to(method, arguments)));
  }
}
