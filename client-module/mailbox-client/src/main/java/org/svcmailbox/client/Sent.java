package org.svcmailbox.client;

/**
 * The answer to a send.
 *
 * @param id the message's id; of a duplicate, the id of the message that was sent first
 * @param duplicate whether the message's key was taken by the same message, so nothing was added
 */
public record Sent(String id, boolean duplicate) {}
