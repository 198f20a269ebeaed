package org.svcmailbox.core.capability.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;

/**
 * A minted capability, without its secret. The service does not learn how holders narrow it. {@code
 * by} is the minter, as in the audit; {@code expires} is null for never.
 */
public record Minting(
    CapabilityId id, List<String> caveats, String by, Instant at, @Nullable Instant expires) {
  /** Begins the name of a minter that is a user of the console. */
  public static final String CONSOLE = "console:";

  public Minting {
    caveats = List.copyOf(caveats);
  }
}
