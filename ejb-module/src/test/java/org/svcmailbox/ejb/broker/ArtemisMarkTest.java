package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.pair.BrokerMark.Content;
import org.svcmailbox.ejb.pair.PairId;

@ExtendWith(Brokers.Lender.class)
final class ArtemisMarkTest {
  private static final PairId ONE = new PairId("one");
  private static final PairId OTHER = new PairId("other");

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  private ArtemisMark mark() {
    return new ArtemisMark(BrokerAccess.of(fixture.artemis().locator()));
  }

  @Test
  void theIdsOutliveAKillOfTheBroker() {
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(), false), mark.read());
      mark.add(ONE);
      mark.add(ONE);
      mark.add(OTHER);
    }
    fixture.crash();
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(ONE, OTHER), false), mark.read());
      mark.remove(ONE);
      mark.remove(ONE);
    }
    fixture.crash();
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(OTHER), false), mark.read());
    }
  }

  @Test
  void aBrokerThatAWorkerHadASessionWithWasUsed() {
    fixture.broker().open(3).close();
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(), true), mark.read());
    }
    assertEquals(List.of(3), fixture.broker().loggedWorkers());
  }
}
