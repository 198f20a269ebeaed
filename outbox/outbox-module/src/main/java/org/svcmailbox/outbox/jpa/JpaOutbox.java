package org.svcmailbox.outbox.jpa;

import static java.util.Objects.requireNonNull;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.jdbc.Database;
import org.svcmailbox.outbox.jdbc.EventRow;

/**
 * Records events by an entity manager, with SQL: Jakarta Persistence has no portable mapping of
 * JSON. As thread-safe as the entity manager.
 */
public final class JpaOutbox implements Outbox {
  private final EntityManager entities;
  private final Database database;
  private final InstantSource clock;

  /**
   * An outbox in the entity manager's transaction.
   *
   * @param database what the entity manager writes to
   */
  public JpaOutbox(EntityManager entities, Database database) {
    this.entities = requireNonNull(entities, "entities");
    this.database = requireNonNull(database, "database");
    clock = InstantSource.system();
  }

  @Override
  public MessageId record(NewEvent event) {
    Instant now = clock.instant();
    EventRules.require(event, now);
    if (!entities.isJoinedToTransaction()) {
      throw new OutboxException(
          ErrorCode.NO_TRANSACTION, "the entity manager has joined no transaction");
    }
    execute(database.insertEvent(), EventRow.event(database, event, now));
    @Nullable TraceContext trace = event.trace();
    if (trace != null) {
      execute(database.insertHeaders(), EventRow.headers(event, trace));
    }
    return event.id();
  }

  private void execute(String sql, List<String> values) {
    Query query = entities.createNativeQuery(sql);
    for (int i = 0; i < values.size(); i++) {
      query.setParameter(i + 1, values.get(i));
    }
    query.executeUpdate();
  }
}
