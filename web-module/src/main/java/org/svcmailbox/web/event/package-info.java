/**
 * Server-sent events. Invariants: no thread waits for a client. A client that does not read misses
 * events and is eventually disconnected. A stream ends when its capability no longer permits the
 * request.
 */
@NullMarked
package org.svcmailbox.web.event;

import org.jspecify.annotations.NullMarked;
