package org.svcmailbox.core.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A dead letter as tests see it; {@code message} is null when it was unreadable. */
public record ObservedLetter(@Nullable StoredMessage message, Quarantine why, Instant expiresAt) {}
