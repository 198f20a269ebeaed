package org.svcmailbox.core.health;

import java.util.stream.Stream;

/**
 * The last observed states of all parts. Answers from memory, so a caller never waits for a part.
 */
public interface Vitals {
  /** Never throws for a part that is down. */
  Vital of(Part part);

  /** Whether the service accepts every call, because no part that would make calls fail is down. */
  default boolean isReady() {
    return Stream.of(Part.values())
        .filter(part -> part.affects() != Affects.LIFE)
        .allMatch(part -> of(part).up());
  }
}
