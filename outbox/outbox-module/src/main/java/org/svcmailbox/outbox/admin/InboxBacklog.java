package org.svcmailbox.outbox.admin;

/**
 * The unprocessed messages of a consumer.
 *
 * @param consumer the consumer's name; empty for messages from before consumers had names, which
 *     count for all
 * @param waiting messages still to be handled
 * @param dead dead letters, by the time of death; a letter that is sent again counts until it is
 *     processed
 */
public record InboxBacklog(String consumer, Backlog waiting, Backlog dead) {}
