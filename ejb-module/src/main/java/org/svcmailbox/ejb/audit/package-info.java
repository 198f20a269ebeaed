/**
 * The audit in the database. Invariants: an entry is written in the transaction it tells of, and
 * entries are committed in the order of their numbers.
 */
@NullMarked
package org.svcmailbox.ejb.audit;

import org.jspecify.annotations.NullMarked;
