package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendOutcome;

/** Steady load, with a window of five seconds and room for 60,000 keys. */
class KeyPurgeTest {
  private static final int PER_SECOND = 3_840;

  /** Keys of one moment. A purge that counts on round thousands does not meet them. */
  private static final int TOGETHER = 96;

  private static final int WINDOW = 5;
  private static final int SECONDS = 20;
  private static final Duration STEP = Duration.ofSeconds(1).dividedBy(PER_SECOND / TOGETHER);

  private final MailboxRig rig =
      new MailboxRig(
          1, Map.of("mailbox.t_replay", WINDOW + "s", "mailbox.dedup_capacity", "60000"));
  private int keys;

  @Test
  void aSteadyRateIsNeverRefused() {
    for (int second = 0; second < SECONDS; second++) {
      for (int i = 0; i < PER_SECOND / TOGETHER; i++) {
        sendSome();
      }
      rig.mailbox().purgeKeys();
      // The keys of a window, and those of the second between two purges.
      long most = (WINDOW + 1L) * PER_SECOND;
      assertTrue(keys() <= most, () -> keys() + " keys after a purge");
    }
    rig.pass(Duration.ofSeconds(WINDOW + 1));
    assertEquals(keys(), rig.mailbox().purgeKeys());
    assertEquals(0, keys());
    assertEquals(0, rig.log.countKeys());
  }

  private void sendSome() {
    List<CompletableFuture<SendOutcome>> sent = new ArrayList<>();
    for (int i = 0; i < TOGETHER; i++) {
      sent.add(rig.submit("orders", "key " + keys++));
    }
    rig.run();
    for (CompletableFuture<SendOutcome> each : sent) {
      SendOutcome outcome = MailboxRig.answered(each);
      assertInstanceOf(SendOutcome.Accepted.class, outcome, outcome::toString);
    }
    rig.time.advance(STEP);
  }

  private long keys() {
    return rig.mailbox().limits().keys().total().count();
  }
}
