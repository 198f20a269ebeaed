package org.svcmailbox.outbox.admin;

import java.util.List;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The backlogs of the bounded context that a database belongs to. */
public interface Backlogs {
  /**
   * The events that are not published, with the parked ones.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog outbox();

  /**
   * The events that wait for an operator; the oldest by when it was parked.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog parked();

  /**
   * The messages of each consumer that has some which are not processed.
   *
   * @throws OutboxStoreException if the database is away
   */
  List<InboxBacklog> inboxes();

  /**
   * The messages that wait to be processed, of all consumers. Dead ones do not.
   *
   * @throws OutboxStoreException if the database is away
   */
  default Backlog inbox() {
    return inboxes().stream().map(InboxBacklog::waiting).reduce(Backlog.EMPTY, Backlog::plus);
  }

  /**
   * The dead letters of all consumers that are not processed since.
   *
   * @throws OutboxStoreException if the database is away
   */
  default Backlog dead() {
    return inboxes().stream().map(InboxBacklog::dead).reduce(Backlog.EMPTY, Backlog::plus);
  }
}
