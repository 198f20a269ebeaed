package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A message in memory, linked into the lists of its mailbox and stripe. */
final class HeldMessage {
  final Box box;
  final byte[] body;
  final long sequence;

  /** In ticker nanoseconds. */
  final long arrived;

  final @Nullable InetAddress client;

  @Nullable HeldMessage next;

  /** Neighbours in the stripe's list of messages, ordered by arrival. */
  @Nullable HeldMessage older;

  @Nullable HeldMessage newer;

  HeldMessage(Box box, byte[] body, long sequence, long arrived, @Nullable InetAddress client) {
    this.box = box;
    this.body = body;
    this.sequence = sequence;
    this.arrived = arrived;
    this.client = client;
  }

  int charge() {
    return Budget.charge(body);
  }
}
