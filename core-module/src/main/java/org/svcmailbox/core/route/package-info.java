/**
 * Calls for groups of routing slots that another node has (docs/adr/0150). Invariants: a forwarded
 * call is never forwarded again; an ACK or NACK is never repeated once it may have been done; every
 * queue, frame and wait is bounded.
 */
@NullMarked
package org.svcmailbox.core.route;

import org.jspecify.annotations.NullMarked;
