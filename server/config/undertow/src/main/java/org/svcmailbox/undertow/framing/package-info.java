/**
 * Refuses HTTP/1.1 requests that another server could read differently, before Undertow parses
 * them. Invariants: only bytes of well-framed requests reach Undertow; an earlier request on the
 * connection is answered before a later one is refused.
 */
@NullMarked
package org.svcmailbox.undertow.framing;

import org.jspecify.annotations.NullMarked;
