/**
 * The mailbox service over gRPC.
 *
 * <p>Sends are unary calls, which the {@code Repeater} of the client makes until they are answered
 * for good. Receives wait for one {@code RecvStream} of their mailbox, whose credit is what they
 * ask for together. Settlements go over that stream while it is open. Nothing here shows a token.
 */
@NullMarked
package org.svcmailbox.client.grpc;

import org.jspecify.annotations.NullMarked;
