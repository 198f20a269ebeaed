/**
 * The database and the broker belong together: each bears the id of the pair (ADR 31). Invariant:
 * nothing is written to either before it is known that they are a pair, or are to become one.
 */
@NullMarked
package org.svcmailbox.ejb.pair;

import org.jspecify.annotations.NullMarked;
