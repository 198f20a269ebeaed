package org.svcmailbox.core.capability.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;

/**
 * A minted capability, without its secret. The service does not learn how holders narrow it.
 *
 * @param by the minter
 * @param expires null for never
 * @param note names its holder for people; null for none
 */
public record Minting(
    CapabilityId id,
    List<String> caveats,
    Actor by,
    Instant at,
    @Nullable Instant expires,
    @Nullable String note) {
  public Minting {
    caveats = List.copyOf(caveats);
  }

  /** The name of its holder in the audit; null for none. */
  public @Nullable String name() {
    return isOfSession() ? by.name() : note;
  }

  /** Whether it is a console session's. A console user gives a note to any other. */
  public boolean isOfSession() {
    return note == null && by.id().startsWith(Actor.CONSOLE);
  }
}
