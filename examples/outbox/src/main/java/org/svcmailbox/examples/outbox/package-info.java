/**
 * A shop that takes orders, and its shipping, in one application and one database. {@link Orders}
 * records an event with each order, {@link Messaging} carries events through the mailbox, and
 * {@link Shipping} handles them.
 */
package org.svcmailbox.examples.outbox;
