package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A message in memory, a link in the lists of its mailbox and of its stripe. */
final class HeldMessage {
  final Box box;
  final byte[] body;
  final long sequence;

  /** By the ticker. */
  final long arrived;

  /** Whose share it is charged to. */
  final @Nullable InetAddress client;

  /** The next one in the mailbox. */
  @Nullable HeldMessage next;

  /** The neighbours among all messages of the stripe, by arrival. */
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
