/**
 * The send log in the database: keys that are taken, ledgers, and each worker's last batch.
 * Invariants: a batch is there whole or not at all; the rows of a worker's last batch can be found
 * again without searching.
 */
@NullMarked
package org.svcmailbox.ejb.sendlog;

import org.jspecify.annotations.NullMarked;
