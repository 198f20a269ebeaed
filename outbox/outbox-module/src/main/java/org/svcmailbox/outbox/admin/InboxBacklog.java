package org.svcmailbox.outbox.admin;

/**
 * The messages of a consumer that are not processed.
 *
 * @param consumer whose they are; empty for those that count for all, from before consumers had
 *     names
 * @param waiting those that are handled yet
 * @param dead those that are dead letters, the oldest by when it died; one that is sent again is
 *     dead until it is processed
 */
public record InboxBacklog(String consumer, Backlog waiting, Backlog dead) {}
