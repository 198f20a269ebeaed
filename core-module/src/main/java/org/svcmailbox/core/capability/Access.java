package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * What a call asks for: the narrowest right that covers it.
 *
 * @param topic the topic concerned; null for what concerns no single one
 * @param mailbox the rendezvous mailbox concerned, 64 lower-case hex digits; null for anything else
 * @param client the address of the caller; null when it is not known
 * @param now when, by the wall clock
 */
record Access(
    Operation operation,
    @Nullable TopicName topic,
    @Nullable String mailbox,
    @Nullable InetAddress client,
    Instant now) {
  /** Of anything but the rendezvous door. */
  Access(
      Operation operation, @Nullable TopicName topic, @Nullable InetAddress client, Instant now) {
    this(operation, topic, null, client, now);
  }
}
