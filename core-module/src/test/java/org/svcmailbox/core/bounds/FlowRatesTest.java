package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.MessageRates;

/** Rates of one topic, by a clock that the test moves. */
class FlowRatesTest {
  private final TestTime time = new TestTime();
  private final TopicCounters counters = new TopicCounters(null, time);

  private MessageRates after(Duration passed) {
    time.advance(passed);
    counters.rates().look(time.nanos());
    return counters.rates().perSecond();
  }

  @Test
  void aRateIsOfTheTimeSinceTheLastLook() {
    counters.committed(/* sent= */ 30, /* acked= */ 5);
    counters.delivered(20, 3);
    assertEquals(new MessageRates(3, 2, 0.5), after(Duration.ofSeconds(10)));
    counters.committed(15, 0);
    assertEquals(new MessageRates(1, 0, 0), after(Duration.ofSeconds(15)));
    assertEquals(MessageRates.NONE, after(Duration.ofSeconds(10)), "nothing passed");
  }

  /** As at the end of a minute, when the history looks sooner. */
  @Test
  void aLookThatComesTooSoonIsLeftOut() {
    counters.committed(50, 0);
    assertEquals(MessageRates.NONE, after(FlowRates.LEAST.minusNanos(1)));
    counters.committed(50, 0);
    assertEquals(new MessageRates(20, 0, 0), after(Duration.ofNanos(1)), "none is lost");
  }
}
