/**
 * The workers' batches: which keys are taken, where the ledgers end, and what the broker has.
 *
 * <p>The broker's journal is the truth. A worker's batch log in it has a record of each batch,
 * committed in one transaction with the batch's messages. The database is a projection of these
 * logs: it follows them in order, and each batch is applied once (ADR 51). Invariants: only a batch
 * that the broker has is projected; only a whole log proves that a batch is absent. An entry stays
 * in the log until the database has it.
 */
@NullMarked
package org.svcmailbox.core.batch;

import org.jspecify.annotations.NullMarked;
