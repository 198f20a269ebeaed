package org.svcmailbox.core.settings;

import java.time.Duration;

/**
 * Automatic redrive of a topic's dead letters.
 *
 * @param after the time between death and redrive
 * @param times the most redrives of a letter; those by hand count as well
 */
public record RedrivePolicy(Duration after, int times) {}
