package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.admin.OutboxAdmin.Operator;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.publish.OutboxTransaction;
import org.svcmailbox.outbox.publish.Passes;
import org.svcmailbox.test.concurrent.Deadline;

class PostgresOutboxTest extends JdbcOutboxContract {
  private static final DataSource SOURCE = SharedPostgres.database("outbox");

  @Override
  protected DataSource source() {
    return SOURCE;
  }

  @Test
  void twoPublishersShareTheAggregates() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      events.add(event(Integer.toString(i % 50), i));
    }
    record(events);
    try (OutboxTransaction one = store().begin(new Passes(clock));
        OutboxTransaction other = store().begin(new Passes(clock));
        OutboxTransaction third = store().begin(new Passes(clock))) {
      List<OutboxEvent> ofOne = one.events().findUnpublished();
      List<OutboxEvent> ofOther = other.events().findUnpublished();
      assertTrue(third.events().findUnpublished().isEmpty());
      assertEquals(200, ofOne.size() + ofOther.size());
      assertTrue(ofOne.size() > 20 && ofOther.size() > 20, ofOne.size() + " events");
      Set<String> shared = aggregates(ofOne);
      shared.retainAll(aggregates(ofOther));
      assertEquals(Set.of(), shared);
    }
  }

  /** A row lock is a write. */
  @Test
  void anIdlePublisherLocksNothingAndFindsWhatComes() throws Exception {
    NewEvent parked = event("1", 0);
    record(List.of(parked));
    commit(parked.id(), (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "no", true));
    record(List.of(event("1", 1)));
    Passes passes = new Passes(clock);
    assertEquals(0, claimed(passes));
    String before = lockers();
    for (int i = 0; i < 10; i++) {
      assertEquals(0, claimed(passes));
      clock.advance(Duration.ofMillis(400));
    }
    assertEquals(before, lockers());
    record(List.of(event("2", 0)));
    clock.advance(Duration.ofSeconds(1));
    assertEquals(1, claimed(passes));
    assertNotEquals(before, lockers());
  }

  /** The last transaction that locked each lane. */
  private static String lockers() throws SQLException {
    try (Connection connection = SOURCE.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT string_agg(xmax::text, ',' ORDER BY lane) FROM outbox_lanes")) {
      assertTrue(row.next());
      return row.getString(1);
    }
  }

  @Test
  void aPublisherThatWaitsForNothingClaimsAllAggregates() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      events.add(event(Integer.toString(i % 50), i));
    }
    record(events);
    assertTrue(claim(2, 1) < 200);
    assertEquals(200, claim(1, 1));
    assertEquals(200, claim(1, 2));
    assertTrue(claim(1, 1) < 200);
  }

  /** Claims and commits, in a time of so many parts, and returns how many events were claimed. */
  private int claim(int database, int sending) throws Exception {
    try (OutboxTransaction transaction = store().begin(new Passes(clock))) {
      clock.advance(Duration.ofSeconds(database));
      int events = transaction.events().findUnpublished().size();
      clock.advance(Duration.ofSeconds(sending));
      transaction.commit();
      return events;
    }
  }

  private static Set<String> aggregates(List<OutboxEvent> events) {
    Set<String> aggregates = new HashSet<>();
    events.forEach(event -> aggregates.add(event.aggregate()));
    return aggregates;
  }

  @Test
  void anOperatorDoesNotSkipAnEventThatIsBeingPublished() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    commit(event.id(), (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "no", true));
    OutboxAdmin admin = new JdbcOutboxAdmin(source(), clock::now);
    FutureTask<Boolean> skip =
        new FutureTask<>(() -> admin.skip(event.id(), new Operator("ada", "no customer")));
    try (OutboxTransaction transaction = store().begin(new Passes(clock))) {
      transaction.claim(event.id());
      new Thread(skip).start();
      Deadline.in(Duration.ofSeconds(10))
          .await(() -> SharedPostgres.isAnyoneWaiting(SOURCE), () -> "the operator");
      transaction.events().markPublished(event.id());
      transaction.commit();
    }
    assertFalse(skip.get(10, TimeUnit.SECONDS));
    assertNotNull(find(event.id()).orElseThrow().publishedAt());
  }

  @Test
  void writersThatWaitForEachOtherKeepTheirOrder() throws Exception {
    NewEvent first = NewEvent.of("order", "1", "paid", "1");
    NewEvent second = NewEvent.of("order", "1", "paid", "2");
    try (var slow = source().getConnection();
        var fast = source().getConnection()) {
      slow.setAutoCommit(false);
      fast.setAutoCommit(false);
      // The transaction that begins first records last.
      try (var statement = slow.createStatement()) {
        statement.execute("SELECT 1");
      }
      JdbcOutbox.of(fast).record(first);
      fast.commit();
      JdbcOutbox.of(slow).record(second);
      slow.commit();
    }
    MessageId earlier = first.id();
    assertTrue(
        find(earlier)
            .orElseThrow()
            .occurredAt()
            .isBefore(find(second.id()).orElseThrow().occurredAt()));
  }
}
