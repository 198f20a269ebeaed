package org.svcmailbox.core.settings;

import java.time.Duration;

/**
 * A topic's policy to redrive dead letters.
 *
 * @param after the age of a letter that is redriven
 * @param times the most redrives of one message, including those by operators
 */
public record RedrivePolicy(Duration after, int times) {}
