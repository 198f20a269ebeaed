package org.svcmailbox.test.history;

import java.time.Duration;

/**
 * How long a key stays taken.
 *
 * @param window at least so long from its first SEND
 * @param endsWithAck whether instead it is free as soon as its message is acknowledged
 */
record KeyScope(Duration window, boolean endsWithAck) {}
