/**
 * The database under the adapters. Invariants: when {@link
 * org.svcmailbox.ejb.store.Transactions#write} returns, its changes are on disk; when it throws
 * they are rolled back, unless the database was lost during the commit.
 */
@NullMarked
package org.svcmailbox.ejb.store;

import org.jspecify.annotations.NullMarked;
