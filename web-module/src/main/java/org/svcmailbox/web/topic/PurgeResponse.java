package org.svcmailbox.web.topic;

/** The number of removed messages. */
record PurgeResponse(long purged) {}
