package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request for access.
 *
 * @param token the text after {@code Bearer}, if any
 * @param waits whether it is a GET with a wait
 */
public record AccessRequest(
    RecipientId recipient,
    Right right,
    @Nullable InetAddress address,
    @Nullable String token,
    boolean waits) {
  /** Omits the token. */
  @Override
  public String toString() {
    return "AccessRequest[" + right + " " + recipient + "]";
  }
}
