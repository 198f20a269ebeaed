package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a capability that was minted, without its secret. The service does not learn how
 * holders narrow it.
 *
 * @param caveats as they are written, oldest first; none is empty or has a line break
 * @param by whose capability it was minted with, as in the audit
 * @param expires when it ends, null for never
 */
public record Minting(
    CapabilityId id, List<String> caveats, String by, Instant at, @Nullable Instant expires) {
  public Minting {
    caveats = List.copyOf(caveats);
  }
}
