package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.InMemoryCapabilityStore;
import org.svcmailbox.core.delivery.TestTime;

class AuditPurgeTest {
  private static final Duration RETENTION = Duration.ofDays(365);

  private final TestTime time = new TestTime();
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();
  private final AuditPurge purge = new AuditPurge(store, RETENTION, time, time);

  @Test
  void oneStepRemovesEverythingThatIsTooOldAndNothingElse() {
    int old = 3 * AuditPurge.ENTRIES + 1;
    note(old);
    time.advance(RETENTION);
    note(2);
    assertEquals(0, purge.step(), "an entry is kept for the whole retention");

    time.advance(Duration.ofMillis(1));

    assertEquals(old, purge.step());
    assertEquals(0, purge.step());
  }

  private void note(int entries) {
    for (int i = 0; i < entries; i++) {
      store.note(new AuditEntry(time.instant(), "somebody", "", "capability.mint", "nonce", ""));
    }
  }
}
