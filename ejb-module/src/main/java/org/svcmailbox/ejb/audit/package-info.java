/**
 * The audit in the database. Invariants: an entry commits with its action, and entries commit in
 * the order of their numbers.
 */
@NullMarked
package org.svcmailbox.ejb.audit;

import org.jspecify.annotations.NullMarked;
