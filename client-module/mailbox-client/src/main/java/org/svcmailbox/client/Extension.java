package org.svcmailbox.client;

import java.time.Duration;

/**
 * A request to extend leases, made by a heartbeat.
 *
 * @param timeout how long from now the leases should last
 * @param within how long the call may take; a later answer is useless
 * @param unanswered how long the last call for one of these leases has been unanswered, or zero. If
 *     not zero, the call must use a connection opened since then.
 */
public record Extension(Duration timeout, Duration within, Duration unanswered) {}
