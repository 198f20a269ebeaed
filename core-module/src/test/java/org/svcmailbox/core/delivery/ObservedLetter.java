package org.svcmailbox.core.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as a test sees it.
 *
 * @param message null when it was {@link DeadLetterReason#UNREADABLE}
 * @param expiresAt until when it is kept
 */
public record ObservedLetter(@Nullable StoredMessage message, Quarantine why, Instant expiresAt) {}
