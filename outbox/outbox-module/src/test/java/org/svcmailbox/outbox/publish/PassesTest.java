package org.svcmailbox.outbox.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.MessageId;

class PassesTest {
  private final VirtualClock clock = new VirtualClock();
  private final Passes passes = new Passes(clock);

  private static BitSet lanes(int... lanes) {
    BitSet set = new BitSet();
    for (int lane : lanes) {
      set.set(lane);
    }
    return set;
  }

  private static Position at(long second) {
    return new Position(
        Instant.ofEpochSecond(second), 1, MessageId.parse("00000000-0000-0000-0000-000000000001"));
  }

  @Test
  void aPassGoesFromTheHeadToTheEndAndThenReadsWhatIsNew() {
    assertEquals(Position.HEAD, passes.begin(lanes(1)));
    passes.read(lanes(1), at(10), false);
    assertEquals(at(10), passes.begin(lanes(1)));
    passes.read(lanes(1), at(20), true);
    assertEquals(at(20), passes.begin(lanes(1)));
    clock.advance(Passes.INTERVAL.minusNanos(1));
    assertEquals(at(20), passes.begin(lanes(1)));
    clock.advance(Duration.ofNanos(1));
    assertEquals(Position.HEAD, passes.begin(lanes(1)));
  }

  @Test
  void aLongPassIsNotCutShort() {
    assertEquals(Position.HEAD, passes.begin(lanes(1)));
    passes.read(lanes(1), at(10), false);
    clock.advance(Duration.ofMinutes(1));
    assertEquals(at(10), passes.begin(lanes(1)));
  }

  @Test
  void lanesAreReadFromTheEarliestPlaceOfAny() {
    passes.begin(lanes(1, 2));
    passes.read(lanes(1), at(10), false);
    passes.read(lanes(2), at(5), false);
    assertEquals(at(5), passes.begin(lanes(1, 2)));
    passes.read(lanes(1, 2), at(7), false);
    assertEquals(at(10), passes.begin(lanes(1)));
    assertEquals(at(7), passes.begin(lanes(2)));
  }

  @Test
  void aBlockedAggregateIsFreeInTheNextPass() {
    int lane = Lane.of("order:17");
    passes.begin(lanes(lane));
    passes.block("order:17");
    assertTrue(passes.isBlocked("order:17"));
    assertFalse(passes.isBlocked("order:18"));
    passes.read(lanes(lane), null, true);
    clock.advance(Passes.INTERVAL);
    assertTrue(passes.isBlocked("order:17"));
    passes.begin(lanes(lane));
    assertFalse(passes.isBlocked("order:17"));
  }

  @Test
  void afterAFailureAllIsReadAgain() {
    passes.begin(lanes(1));
    passes.read(lanes(1), at(10), false);
    passes.restart();
    assertEquals(Position.HEAD, passes.begin(lanes(1)));
  }

  @Test
  void aHeadThatTakesLongIsReadForATenthOfTheTime() {
    BitSet lane = lanes(1);
    assertEquals(Position.HEAD, passes.begin(lane));
    clock.advance(Duration.ofMillis(877));
    passes.read(lane, at(1), true);
    clock.advance(Duration.ofMillis(8770 - 877 - 1));
    assertEquals(at(1), passes.begin(lane));
    passes.read(lane, at(2), true);
    clock.advance(Duration.ofMillis(1));
    assertEquals(Position.HEAD, passes.begin(lane));
    passes.read(lane, null, true);
    clock.advance(Duration.ofSeconds(1));
    assertEquals(Position.HEAD, passes.begin(lane), "it was short this time");
  }
}
