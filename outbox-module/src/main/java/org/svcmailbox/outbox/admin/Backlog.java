package org.svcmailbox.outbox.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait.
 *
 * @param count how many
 * @param oldestAt when the oldest occurred or was received; null if there is none
 */
public record Backlog(long count, @Nullable Instant oldestAt) {}
