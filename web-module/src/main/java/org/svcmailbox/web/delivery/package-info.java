/**
 * SEND, RECV, ACK, NACK and EXTEND over HTTP. Invariants: no request thread waits for a commit; a
 * message whose answer did not reach its client is given back; nothing of a malformed request is
 * done.
 */
@NullMarked
package org.svcmailbox.web.delivery;

import org.jspecify.annotations.NullMarked;
