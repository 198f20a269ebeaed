/**
 * Ends leases by ACK, NACK, rejection or deadline, and answers later calls. Invariants: a lease
 * ends once; a repeated call gets its first answer; the caller's right is checked first.
 */
@NullMarked
package org.svcmailbox.core.worker.settle;

import org.jspecify.annotations.NullMarked;
