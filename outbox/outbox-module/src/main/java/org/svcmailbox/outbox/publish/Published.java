package org.svcmailbox.outbox.publish;

/**
 * The answer of a topic that has stored an event.
 *
 * @param id the message's id there
 * @param duplicate whether it had the event already
 */
public record Published(String id, boolean duplicate) {}
