package org.svcmailbox.core.route;

/** Names one forwarded RECV, so that its leases can be given back. Random. */
public record RecvId(long high, long low) {}
