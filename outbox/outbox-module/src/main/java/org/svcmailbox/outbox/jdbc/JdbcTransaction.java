package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.EventClaim;
import org.svcmailbox.outbox.publish.OutboxRepository;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.OutboxTransaction;

/** A publisher's transaction. Claims with row locks where there are some; writes at its end. */
final class JdbcTransaction implements OutboxTransaction, OutboxRepository {
  private final Connection connection;
  private final Database database;
  private final Claim claim;
  private final Changes changes;
  private final LaneShare share;
  private final MailboxClock clock;
  private final long begun;
  private final Map<MessageId, TraceContext> traces = new HashMap<>();
  private final Map<MessageId, Set<String>> accepted = new HashMap<>();
  private final Set<MessageId> parked = new HashSet<>();
  private long read;
  private long sending;

  JdbcTransaction(
      Connection connection, Database database, Claim claim, LaneShare share, MailboxClock clock) {
    this.connection = connection;
    this.database = database;
    this.claim = claim;
    this.share = share;
    this.clock = clock;
    begun = clock.nanoTime();
    read = begun;
    changes = new Changes(connection, database, clock);
  }

  @Override
  public OutboxRepository events() {
    return this;
  }

  @Override
  public List<OutboxEvent> findUnpublished() {
    try {
      List<OutboxEvent> events = claim.read(traces, accepted);
      share.claimed(events.size());
      read = clock.nanoTime();
      return events;
    } catch (SQLException e) {
      throw new OutboxStoreException("the outbox cannot be read", e);
    }
  }

  @Override
  public EventClaim claim(MessageId id) {
    SingleClaim single = new SingleClaim(connection, database, id);
    try {
      EventClaim claim = single.read(traces);
      if (claim instanceof EventClaim.Claimed claimed) {
        Claim.readAccepted(connection, database, List.of(claimed.event()), accepted);
      }
      if (single.isParked()) {
        parked.add(id);
      }
      return claim;
    } catch (SQLException e) {
      throw new OutboxStoreException("the event " + id + " cannot be claimed", e);
    }
  }

  @Override
  public Optional<TraceContext> trace(MessageId id) {
    return Optional.ofNullable(traces.get(id));
  }

  @Override
  public Set<String> acceptedBy(MessageId id) {
    return accepted.getOrDefault(id, Set.of());
  }

  @Override
  public void markPublished(MessageId id) {
    changes.published(id);
    if (accepted.containsKey(id)) {
      changes.forget(id);
    }
    if (parked.contains(id)) {
      changes.unparked(id);
    }
  }

  @Override
  public void incrementAttempts(MessageId id, String error) {
    changes.failed(id, error);
  }

  @Override
  public void accepted(MessageId id, String topic) {
    if (accepted.computeIfAbsent(id, key -> new HashSet<>()).add(topic)) {
      changes.accepted(id, topic);
    }
  }

  @Override
  public void park(OutboxEvent event, ErrorCode code, String error, boolean holdsAggregate) {
    changes.parked(event, code, error, holdsAggregate);
  }

  @Override
  public void commit() {
    sending = clock.nanoTime() - read;
    try {
      connection.setAutoCommit(false);
      changes.write();
      connection.commit();
    } catch (SQLException e) {
      throw new OutboxStoreException("the outbox cannot be written", e);
    }
  }

  @Override
  public void close() {
    Transactions.end(connection);
    share.note(sending, clock.nanoTime() - begun);
  }
}
