package org.svcmailbox.outbox.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait.
 *
 * @param count how many
 * @param oldestAt when the oldest occurred, was received or died; null if there is none
 */
public record Backlog(long count, @Nullable Instant oldestAt) {
  /** None. */
  public static final Backlog EMPTY = new Backlog(0, null);

  /** These rows and others. */
  Backlog plus(Backlog other) {
    boolean isOlder =
        oldestAt == null || (other.oldestAt != null && other.oldestAt.isBefore(oldestAt));
    return new Backlog(count + other.count, isOlder ? other.oldestAt : oldestAt);
  }
}
