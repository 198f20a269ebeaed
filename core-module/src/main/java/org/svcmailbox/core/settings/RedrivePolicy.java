package org.svcmailbox.core.settings;

import java.time.Duration;

/**
 * That a topic's dead letters come back by themselves.
 *
 * @param after how long they have been dead by then
 * @param times how often one message does so, at most; what was brought back by hand counts, too
 */
public record RedrivePolicy(Duration after, int times) {}
