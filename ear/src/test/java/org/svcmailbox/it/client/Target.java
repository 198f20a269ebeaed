package org.svcmailbox.it.client;

import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server to call, and the capability to call it with.
 *
 * @param token asked for at each call; null for none
 */
public record Target(URI server, Supplier<@Nullable String> token) {
  /** With one capability for good. */
  public Target(URI server, @Nullable String token) {
    this(server, () -> token);
  }

  /** The same server with another capability. */
  public Target with(@Nullable String other) {
    return new Target(server, other);
  }

  /** The header lines that go with a call; none without a capability. */
  public String authorization() {
    String presented = token.get();
    return presented == null ? "" : "Authorization: Bearer " + presented + "\r\n";
  }
}
