/**
 * Server-sent events. Invariants: no thread waits for a client; a client that does not read misses
 * events and is finally disconnected; a stream ends when its capability no longer permits the
 * request.
 */
@NullMarked
package org.svcmailbox.web.event;

import org.jspecify.annotations.NullMarked;
