package org.svcmailbox.core.capability.caveat;

import java.net.InetAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;

/**
 * A requested access, named by the narrowest right that covers it. {@code mailbox} is a rendezvous
 * mailbox, 64 lower-case hex digits, {@code idemKey} the key that a new message would take; topic,
 * mailbox and key are null when not concerned.
 */
public record Access(
    Operation operation,
    @Nullable TopicName topic,
    @Nullable String mailbox,
    @Nullable IdemKey idemKey,
    @Nullable InetAddress client,
    Instant now) {
  public Access(
      Operation operation, @Nullable TopicName topic, @Nullable InetAddress client, Instant now) {
    this(operation, topic, null, null, client, now);
  }
}
