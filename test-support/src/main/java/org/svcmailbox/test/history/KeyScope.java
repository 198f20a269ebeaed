package org.svcmailbox.test.history;

import java.time.Duration;

/**
 * How long a key stays taken.
 *
 * @param window the shortest time from its first SEND
 * @param endsWithAck whether the key is instead free as soon as its message is acknowledged
 */
record KeyScope(Duration window, boolean endsWithAck) {}
