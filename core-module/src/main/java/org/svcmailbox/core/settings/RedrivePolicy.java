package org.svcmailbox.core.settings;

import java.time.Duration;

/**
 * Automatic redrive of a topic's dead letters, {@code after} their death. Redrives by hand count
 * towards {@code times}.
 */
public record RedrivePolicy(Duration after, int times) {}
