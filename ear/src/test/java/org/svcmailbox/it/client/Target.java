package org.svcmailbox.it.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A server to call, and the capability to call it with.
 *
 * @param token null for none
 */
public record Target(URI server, @Nullable String token) {
  /** The same server with another capability. */
  public Target with(@Nullable String other) {
    return new Target(server, other);
  }
}
