/**
 * Streams of received messages as JSON lines. Invariants: a line is written completely, or it is
 * the last thing that its client reads. One thread at a time writes a stream. No lock is held while
 * it writes, or while it calls the service.
 */
@NullMarked
package org.svcmailbox.web.stream;

import org.jspecify.annotations.NullMarked;
