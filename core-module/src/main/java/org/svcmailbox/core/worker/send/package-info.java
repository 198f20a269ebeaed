/**
 * Takes SENDs from the inbox to the commit, and keeps the log that tells after a crash which of
 * them the broker has. Invariants: messages and their record share a transaction; a log in doubt
 * takes no SENDs.
 */
@NullMarked
package org.svcmailbox.core.worker.send;

import org.jspecify.annotations.NullMarked;
