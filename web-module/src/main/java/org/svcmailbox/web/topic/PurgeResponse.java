package org.svcmailbox.web.topic;

/** How many messages are gone. */
record PurgeResponse(long purged) {}
