package org.svcmailbox.test.history;

import java.time.Duration;

/**
 * The promises about a key.
 *
 * @param window the shortest time from its first SEND for which it stays taken
 * @param endsWithAck whether the key is instead free as soon as its message is acknowledged
 * @param ownDuplicates whether the service repeats a SEND under which one of its processes died, so
 *     that it can be a duplicate of itself
 */
record KeyScope(Duration window, boolean endsWithAck, boolean ownDuplicates) {}
