/**
 * The scenario {@code outbox}: the transactional outbox and its alternatives, all on one
 * PostgreSQL.
 *
 * <p>A drain ends when its rows are marked and committed.
 */
@NullMarked
package org.svcmailbox.bench.outbox;

import org.jspecify.annotations.NullMarked;
