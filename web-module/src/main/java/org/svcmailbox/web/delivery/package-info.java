/**
 * SEND, RECV, ACK, NACK and EXTEND over HTTP. Invariants: no request thread waits for a commit; a
 * message whose answer did not reach the client is given back; a malformed request changes nothing.
 */
@NullMarked
package org.svcmailbox.web.delivery;

import org.jspecify.annotations.NullMarked;
