/**
 * The mailbox service over gRPC.
 *
 * <p>Sends are unary calls, which the {@code Repeater} of the client repeats until they have a
 * final answer. Receives of a mailbox share one {@code RecvStream}, whose credit is the number of
 * messages that they ask for together. Settlements use that stream while it is open. No log line,
 * exception or {@code toString} contains a token.
 */
@Experimental
@NullMarked
package org.svcmailbox.client.grpc;

import org.jspecify.annotations.NullMarked;
import org.svcmailbox.client.Experimental;
