package org.svcmailbox.core.health;

import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/**
 * The last observed states of all parts. Answers from memory, so a caller never waits for a part.
 */
public interface Vitals {
  /** Never throws for a part that is down. */
  Vital of(Part part);

  /** Whether the service accepts every call, because no part that would make calls fail is down. */
  default boolean isReady() {
    return isReadyForReads() && areUp(Affects.WRITES);
  }

  /** Whether it accepts the calls that need no SEND. */
  default boolean isReadyForReads() {
    return areUp(Affects.READS);
  }

  private boolean areUp(Affects affects) {
    return Stream.of(Part.values())
        .filter(part -> part.affects() == affects)
        .allMatch(part -> of(part).up());
  }

  /** For alerts, which do not ask {@code /readyz}. */
  default List<Metric> metrics() {
    return List.of(
        Family.MAILBOX_READY.of(() -> isReady() ? 1 : 0, "all"),
        Family.MAILBOX_READY.of(() -> isReadyForReads() ? 1 : 0, "reads"));
  }
}
