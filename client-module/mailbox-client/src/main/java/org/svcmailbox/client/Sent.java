package org.svcmailbox.client;

/**
 * The answer to a send.
 *
 * @param id the message's id; for a duplicate, the id of the message sent first
 * @param duplicate whether the same message was sent before with this key, so this send added none
 */
public record Sent(String id, boolean duplicate) {}
