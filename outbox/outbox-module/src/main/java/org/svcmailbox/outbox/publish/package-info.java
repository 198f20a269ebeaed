/**
 * Publishes recorded events.
 *
 * <p>{@link OutboxPublisher} claims events in a transaction, sends each to every topic of its
 * subject, marks it and commits. A crash in between repeats the send with the event's id as key.
 * Each aggregate has at most one event in flight, so its events stay in order. {@link OutboxStore}
 * and {@link EventPublisher} are the ports.
 */
@NullMarked
package org.svcmailbox.outbox.publish;

import org.jspecify.annotations.NullMarked;
