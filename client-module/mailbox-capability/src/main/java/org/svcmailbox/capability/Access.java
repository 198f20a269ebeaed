package org.svcmailbox.capability;

import java.net.InetAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A requested access, which the conditions of a capability allow or not.
 *
 * @param operation the narrowest right that covers it
 * @param topic the name of the topic; null if none is concerned
 * @param mailbox the recipient of a rendezvous mailbox, 64 lower-case hex digits; null if none is
 *     concerned
 * @param idemKey the key that a new message would take; null if none would
 * @param client the caller's address; null if it is unknown
 * @param now the time of the call
 */
public record Access(
    Operation operation,
    @Nullable String topic,
    @Nullable String mailbox,
    @Nullable String idemKey,
    @Nullable InetAddress client,
    Instant now) {}
