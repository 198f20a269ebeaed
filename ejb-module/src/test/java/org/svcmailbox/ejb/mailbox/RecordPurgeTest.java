package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.time.TestTime;

class RecordPurgeTest {
  private static final Actor SOMEBODY = new Actor("somebody", null);

  private static final Duration RETENTION = Duration.ofDays(365);

  private final TestTime time = new TestTime();
  private final Random random = new Random(1);
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();
  private final RecordPurge purge = new RecordPurge(store, RETENTION, time, time);

  @Test
  void oneStepRemovesEverythingThatIsTooOldAndNothingElse() {
    int old = 3 * RecordPurge.ROWS + 1;
    note(old);
    time.advance(RETENTION);
    note(2);
    assertEquals(0, purge.step(), "an entry is kept for the whole retention");

    time.advance(Duration.ofMillis(1));

    assertEquals(old, purge.step());
    assertEquals(0, purge.step());
  }

  @Test
  void oneStepRemovesEveryMintingThatIsOver() {
    int old = 2 * RecordPurge.ROWS + 1;
    mint(old, time.instant());
    mint(1, time.instant().plusMillis(1));

    assertEquals(old, purge.step());
    assertEquals(1, store.mintings());
  }

  private void mint(int capabilities, Instant until) {
    for (int i = 0; i < capabilities; i++) {
      byte[] nonce = new byte[CapabilityId.NONCE_BYTES];
      random.nextBytes(nonce);
      CapabilityId id = CapabilityId.of("key", nonce);
      store.mint(new Minting(id, List.of(), SOMEBODY, time.instant(), until, null), entry());
    }
  }

  private void note(int entries) {
    for (int i = 0; i < entries; i++) {
      store.note(entry());
    }
  }

  private AuditEntry entry() {
    return new AuditEntry(time.instant(), SOMEBODY, "", "capability.mint", "nonce", "");
  }
}
