package org.svcmailbox.core.broker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;

/** A dead letter as tests see it; {@code message} is null when it was unreadable. */
public record ObservedLetter(@Nullable StoredMessage message, Quarantine why, Instant expiresAt) {}
