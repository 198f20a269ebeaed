package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A minted capability, without its secret. The service does not learn how holders narrow it. {@code
 * by} is the minter, as in the audit; {@code expires} is null for never.
 */
public record Minting(
    CapabilityId id, List<String> caveats, String by, Instant at, @Nullable Instant expires) {
  public Minting {
    caveats = List.copyOf(caveats);
  }
}
