package org.svcmailbox.web.capability;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a revocation.
 *
 * @param released the number of leases that it ended; null when none were to end
 */
record RevokeResponse(boolean ok, @Nullable Long released) {}
