package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request that asks to be admitted.
 *
 * @param recipient whose mailbox it names
 * @param right what it wants there
 * @param address the client's address, null when it is unknown
 * @param token what came after {@code Bearer}; null when nothing did
 * @param waits whether it is a GET with a wait
 */
public record Knock(
    RecipientId recipient,
    Right right,
    @Nullable InetAddress address,
    @Nullable String token,
    boolean waits) {
  /** Without the token. */
  @Override
  public String toString() {
    return "Knock[" + right + " " + recipient + "]";
  }
}
