package org.svcmailbox.outbox.admin;

import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * The backlogs of the bounded context that a database belongs to. Both look at every row that
 * waits.
 */
public interface Backlogs {
  /**
   * The events that are not published, with the parked ones.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog outbox();

  /**
   * The messages that are not processed, with the dead ones.
   *
   * @throws OutboxStoreException if the database is away
   */
  Backlog inbox();
}
