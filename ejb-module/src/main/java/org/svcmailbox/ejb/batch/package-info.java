/**
 * The projection in the database: keys that are taken, ledgers, and each worker's last batch.
 * Invariant: what a worker's row says, the pages have, of all its batches up to that one.
 */
@NullMarked
package org.svcmailbox.ejb.batch;

import org.jspecify.annotations.NullMarked;
