package org.svcmailbox.web.topic;

/** The number of leases that were ended. */
record EndLeasesResponse(long ended) {}
