package org.svcmailbox.web.topic;

/** The number of leases that were ended. */
record ReleaseResponse(long released) {}
