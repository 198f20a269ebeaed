package org.svcmailbox.outbox.admin;

import java.util.List;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The backlogs of the bounded context that a database belongs to. */
public interface Backlogs {
  /**
   * The unpublished events, including parked ones.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog outbox();

  /**
   * The parked events, which wait for an operator; {@code oldestAt} is when the oldest was parked.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog parked();

  /**
   * The unprocessed messages of each consumer that has any.
   *
   * @throws OutboxStoreException if the database is away
   */
  List<InboxBacklog> inboxes();

  /**
   * The messages of all consumers that wait to be processed, without dead letters.
   *
   * @throws OutboxStoreException if the database is away
   */
  default Backlog inbox() {
    return inboxes().stream().map(InboxBacklog::waiting).reduce(Backlog.EMPTY, Backlog::plus);
  }

  /**
   * The dead letters of all consumers that have not been processed since.
   *
   * @throws OutboxStoreException if the database is away
   */
  default Backlog dead() {
    return inboxes().stream().map(InboxBacklog::dead).reduce(Backlog.EMPTY, Backlog::plus);
  }
}
