package org.svcmailbox.client;

import java.time.Duration;

/**
 * A heartbeat's wish for leases that it keeps.
 *
 * @param timeout the time from now at which they are to end
 * @param within how long the call may take; later its answer has no use
 * @param unanswered how long the last call for one of these leases has had no answer, or zero. If
 *     it is not zero, a connection made since then is used.
 */
public record Extension(Duration timeout, Duration within, Duration unanswered) {}
