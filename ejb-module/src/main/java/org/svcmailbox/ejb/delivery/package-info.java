/**
 * The mailbox's queues in Apache ActiveMQ Artemis: names, message layout, sessions, counts, the
 * check of the broker's settings, and the sorting of what the broker gave up on by itself. Messages
 * take one of two ways, which {@code BrokerLinks} chooses: straight into the broker of this
 * process, or through Artemis' client; everything else goes through the client. Invariants: a copy
 * of a message is only ever sent in the transaction that acknowledges the original; nothing here
 * keeps a message anywhere but in the broker.
 */
@NullMarked
package org.svcmailbox.ejb.delivery;

import org.jspecify.annotations.NullMarked;
