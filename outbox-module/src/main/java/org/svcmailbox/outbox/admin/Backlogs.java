package org.svcmailbox.outbox.admin;

import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * The backlogs of the bounded context that a database belongs to. Each counts every row that waits.
 */
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
   * The messages that are not processed, with the dead ones.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog inbox();
}
