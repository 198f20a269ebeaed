/**
 * The projection in the database: taken keys, ledgers, and each worker's last batch. Invariant: the
 * pages contain every batch of a worker up to the one in its row.
 */
@NullMarked
package org.svcmailbox.ejb.batch;

import org.jspecify.annotations.NullMarked;
