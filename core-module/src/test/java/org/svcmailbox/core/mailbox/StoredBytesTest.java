package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.problem.Problem;

/** In amnesia memory for messages is limited; what does not fit is refused. */
class StoredBytesTest {
  private static final int MEMORY = 1_048_576;
  private static final String BIG = "x".repeat(MEMORY / 2 - Limits.MESSAGE_OVERHEAD);

  private final MailboxRig rig =
      new MailboxRig(
          1, Map.of("mailbox.amnesia", "true", "mailbox.amnesia_max_bytes", "" + MEMORY));

  @Test
  void theLastByteFitsAndTheNextDoesNot() {
    assertInstanceOf(Accepted.class, rig.send("t", "1", BIG));
    assertRefused(rig.send("t", "2", BIG + "x"));
    assertInstanceOf(Accepted.class, rig.send("t", "3", BIG));
    assertRefused(rig.send("t", "4", ""));
    assertEquals(0, rig.mailbox().limits().pendingBytes().total().count());
  }

  @Test
  void whatTheBrokerIsRidOfMakesRoom() {
    rig.send("t", "1", BIG);
    rig.send("t", "2", BIG);
    rig.mailbox().limits().stored(MEMORY / 2);
    assertRefused(rig.send("t", "3", BIG + "x"));
    assertInstanceOf(Accepted.class, rig.send("t", "3", BIG));
  }

  @Test
  void whatTheBrokerNeedsBesideIsCounted() {
    rig.mailbox().limits().stored(MEMORY - Limits.MESSAGE_OVERHEAD);
    assertRefused(rig.send("t", "1", "x"));
    assertInstanceOf(Accepted.class, rig.send("t", "1", ""));
  }

  @Test
  void otherwiseNothingIsBounded() {
    MailboxRig durable = new MailboxRig(1, Map.of("mailbox.amnesia_max_bytes", "" + MEMORY));
    for (int i = 0; i < 5; i++) {
      assertInstanceOf(Accepted.class, durable.send("t", "k" + i, BIG));
    }
  }

  private static void assertRefused(SendOutcome outcome) {
    Refusal refusal = assertInstanceOf(Refusal.class, outcome);
    assertEquals(Problem.E_SATURATED, refusal.problem());
    assertEquals("amnesia_max_bytes", refusal.reason());
  }

  @Test
  void metricsTellItInAmnesiaOnly() {
    assertEquals(List.of(MEMORY), told(rig));
    assertEquals(List.of(), told(new MailboxRig(1, Map.of())));
  }

  private static List<Integer> told(MailboxRig rig) {
    return rig.mailbox().metrics().stream()
        .filter(metric -> metric.family() == Family.BOUND_CAPACITY)
        .filter(metric -> metric.tags().containsValue("amnesia_max_bytes"))
        .map(metric -> (int) metric.now())
        .toList();
  }
}
