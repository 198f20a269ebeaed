package org.svcmailbox.core.redrive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.deadletter.JobId;

/** The contract of {@link DiscardPermits}. */
public interface DiscardPermitsContract {
  /** The permits under test: none at first. */
  DiscardPermits permits();

  /** The broker is killed and comes back. */
  void crash();

  @Test
  default void aPermitLastsUntilItIsWithdrawn() {
    JobId one = new JobId("j0000000000000001");
    JobId other = new JobId("j0000000000000002");
    assertEquals(Set.of(), permits().all());
    permits().grant(one);
    permits().grant(one);
    permits().grant(other);
    crash();
    assertEquals(Set.of(one, other), permits().all());
    permits().withdraw(one);
    permits().withdraw(one);
    crash();
    assertEquals(Set.of(other), permits().all());
  }
}
