package org.svcmailbox.web.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendOutcome.HashMismatch;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.envelope.MsgId;

/** These tests replace an exhaustive switch over sealed types, which Java 17 lacks. */
class OutcomesTest {
  private static final MsgId MSG_ID = MsgId.create(1, Instant.EPOCH);
  private static final Refusal REFUSAL = Refusal.saturated("r", "d", Duration.ofSeconds(1));

  private static Set<Class<?>> kinds(Object... outcomes) {
    return Stream.of(outcomes).map(Object::getClass).collect(Collectors.toSet());
  }

  @Test
  void everyKindOfSendOutcomeHasAResult() {
    SendOutcome[] outcomes = {
      new Accepted(MSG_ID, true), new KeyConflict(MSG_ID), new HashMismatch(), REFUSAL
    };
    assertEquals(Set.of(SendOutcome.class.getPermittedSubclasses()), kinds((Object[]) outcomes));
    for (SendOutcome outcome : outcomes) {
      Outcomes.result(outcome);
    }
  }

  @Test
  void everyKindOfSettleOutcomeHasAResult() {
    SettleOutcome[] outcomes = {
      SettleOutcome.DONE,
      new SettleOutcome.Stale(Why.ACKED),
      new SettleOutcome.TooLong(Duration.ofSeconds(1)),
      SettleOutcome.UNKNOWN,
      REFUSAL
    };
    assertEquals(Set.of(SettleOutcome.class.getPermittedSubclasses()), kinds((Object[]) outcomes));
    for (SettleOutcome outcome : outcomes) {
      Outcomes.result(MSG_ID, outcome);
    }
  }

  @Test
  void theKindsOfRecvOutcomeAreThoseTheResourceNames() {
    assertEquals(
        Set.of(RecvOutcome.class.getPermittedSubclasses()), kinds(Delivered.NONE, REFUSAL));
  }
}
