package org.svcmailbox.core.capability.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;

/**
 * A minted capability, without its secret. The service does not learn how holders narrow it.
 *
 * @param by the minter, as in the audit
 * @param expires null for never
 */
public record Minting(
    CapabilityId id, List<String> caveats, String by, Instant at, @Nullable Instant expires) {
  /** The prefix of a minter's name that is a console user's. */
  public static final String CONSOLE = "console:";

  public Minting {
    caveats = List.copyOf(caveats);
  }
}
