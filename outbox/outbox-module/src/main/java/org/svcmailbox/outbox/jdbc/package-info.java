/**
 * The ports on a database: PostgreSQL, H2 or SQLite, by JDBC.
 *
 * <p>{@link JdbcOutbox} records in the caller's transaction. {@link JdbcOutboxStore} serves the
 * publisher, with connections of its own; {@link JdbcInboxStore} does the same for the consumer,
 * and {@link JtaInboxStore} with a server's transactions. {@link OutboxSchema} creates the tables,
 * when asked.
 */
@NullMarked
package org.svcmailbox.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
