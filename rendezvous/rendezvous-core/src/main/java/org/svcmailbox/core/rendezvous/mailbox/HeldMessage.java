package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A message in memory, linked into the lists of its mailbox and stripe. */
final class HeldMessage {
  final Box box;
  final byte[] body;
  final long sequence;

  /** By the ticker. */
  final long arrived;

  final @Nullable InetAddress client;

  @Nullable HeldMessage next;

  /** Neighbours among the stripe's messages, by arrival. */
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
