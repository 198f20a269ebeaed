package org.svcmailbox.ejb.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.rendezvous.InMemoryRendezvousStore;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;
import org.svcmailbox.core.time.TestTime;

class OptionalDoorTest {
  private final OptionalDoor on = new OptionalDoor(door());

  private static RendezvousDoor door() {
    return DoorFixture.door(
        DoorFixture.settings(Map.of()), new InMemoryRendezvousStore(), new TestTime());
  }

  @Test
  void aDoorThatIsOffSaysSoToOperators() {
    assertEquals(Optional.empty(), OptionalDoor.OFF.service());
    NotFoundException refusal =
        assertThrows(
            NotFoundException.class, () -> OptionalDoor.OFF.forOperator(SampleCallers.OPERATOR));
    assertTrue(String.valueOf(refusal.getMessage()).contains("mailbox.rendezvous.enabled"));
    assertThrows(IllegalStateException.class, OptionalDoor.OFF::open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ops = send,recv,audit", "topic = orders"})
  void nobodyElseLearnsWhetherItIsOn(String caveat) {
    Caller other = new SampleCallers().caller(1, caveat);
    assertThrows(DeniedException.class, () -> OptionalDoor.OFF.forOperator(other));
    assertThrows(DeniedException.class, () -> on.forOperator(other));
  }

  @Test
  void aDoorThatIsOnIsTheDoor() {
    assertSame(on.door(), on.open());
    assertSame(on.door(), on.forOperator(SampleCallers.OPERATOR));
    assertSame(on.door(), on.service().orElseThrow());
  }
}
