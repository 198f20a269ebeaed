/**
 * The database and the broker belong together: each has the id of the pair (ADR 31). Invariant:
 * nothing is written to either until it is known that they are a pair or may become one.
 */
@NullMarked
package org.svcmailbox.ejb.pair;

import org.jspecify.annotations.NullMarked;
