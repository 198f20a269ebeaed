/**
 * The database under the adapters: its schema, its kinds, and how work runs in its transactions.
 * Invariants: what {@link org.svcmailbox.ejb.store.Transactions#write} returned from is on disk;
 * what it threw from was rolled back, unless the database was lost in the commit itself.
 */
@NullMarked
package org.svcmailbox.ejb.store;

import org.jspecify.annotations.NullMarked;
