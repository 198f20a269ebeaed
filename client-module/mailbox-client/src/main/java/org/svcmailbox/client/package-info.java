/**
 * The API of the mailbox client: typed, point-to-point message queues with leases, explicit
 * acknowledgement and replies.
 *
 * <p>A {@link org.svcmailbox.client.Mailbox} sends and receives, a {@link
 * org.svcmailbox.client.Message} is one delivery under a lease, and {@link
 * org.svcmailbox.client.BackendFeatures} states what a backend can do. Delivery is at least once on
 * every backend, so a handler must tolerate meeting a message twice. This package depends on no
 * other of the client.
 */
@NullMarked
package org.svcmailbox.client;

import org.jspecify.annotations.NullMarked;
