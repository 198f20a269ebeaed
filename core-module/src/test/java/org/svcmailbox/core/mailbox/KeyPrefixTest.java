package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.Problem;

/** Senders of one topic, and the keys that they take from each other. */
class KeyPrefixTest {
  private final SampleCallers people = new SampleCallers();
  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.workers", "1"));

  private SendOutcome send(Caller caller, String key, String payload) {
    rig.caller = caller;
    return rig.send("orders", key, payload);
  }

  @Test
  void aSenderWithAPrefixCannotTakeAnothersKey() {
    Caller shop = people.caller(1, "ops = send", "idem_prefix = shop:");
    Caller neighbour = people.caller(2, "ops = send", "idem_prefix = neighbour:");

    Refusal refusal = assertInstanceOf(Refusal.class, send(neighbour, "shop:17", "mine"));
    assertEquals(Problem.E_CAP_SCOPE, refusal.problem());
    assertEquals("idem_key", refusal.reason());

    SendOutcome.Accepted taken =
        assertInstanceOf(SendOutcome.Accepted.class, send(shop, "shop:17", "an order"));
    assertFalse(taken.duplicate());
  }

  @Test
  void sendersWithoutPrefixesTrustEachOther() {
    send(people.caller(2, "ops = send"), "17", "mine");
    assertInstanceOf(
        SendOutcome.KeyConflict.class, send(people.caller(1, "ops = send"), "17", "an order"));
  }

  /** A batch is let in before its keys are looked at, each by itself. */
  @Test
  void aPrefixDeniesNoCallAsAWhole() {
    Caller shop = people.caller(1, "idem_prefix = shop:", "topic = orders");
    assertEquals(Optional.empty(), shop.denialAnywhere(Operation.SEND));
    assertEquals(Optional.empty(), shop.denial(Operation.RECV, new TopicName("orders")));
    assertEquals(
        Optional.of(Denial.IDEM_KEY),
        shop.sendDenial(Operation.SEND, new TopicName("orders"), null));
    assertThrows(
        DeniedException.class,
        () -> shop.requireSend(Operation.DLQ_EDIT, new TopicName("orders"), null));
  }
}
