package org.svcmailbox.web.delivery;

/** The answer to an accepted SEND. */
record SendResponse(String msgId, boolean duplicate) {}
