package org.svcmailbox.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  private static String printed(long failed, long broken, long micros) {
    return """
        Running 2s test @ http://127.0.0.1:8080
          1 threads and 64 connections
        RESULT {"messages":5000,"micros":%d,"p50":1500,"p95":2500,"p99":9000,"failed":%d,"broken":%d}
        """
        .formatted(micros, failed, broken);
  }

  @Test
  void theResultOfWrkIsConvertedToMillisecondsAndSeconds() throws IOException {
    Outcome outcome = Outcome.parse(printed(0, 0, 2_000_000));
    assertEquals(new Outcome(5_000, 2, 1.5, 2.5, 9), outcome);
    assertEquals(2_500, outcome.perSecond());
  }

  @Test
  void aRefusedOrUnansweredRequestIsAnError() {
    for (String bad : List.of(printed(1, 0, 2_000_000), printed(0, 1, 2_000_000))) {
      var refused = assertThrows(IllegalStateException.class, () -> Outcome.parse(bad));
      assertTrue(String.valueOf(refused.getMessage()).startsWith("not everything was done"));
    }
  }

  @Test
  void outputWithoutAResultIsQuoted() {
    var silent = assertThrows(IllegalStateException.class, () -> Outcome.parse("no route"));
    assertTrue(String.valueOf(silent.getMessage()).contains("no route"));
  }

  @Test
  void aPrintedOutcomeCanBeParsed() throws IOException {
    Outcome outcome = Outcome.of(4, 2, List.of(1_000_000L, 2_000_000L, 3_000_000L, 4_000_000L));
    assertEquals(new Outcome(4, 2, 2, 4, 4), outcome);
    assertEquals(outcome, Outcome.parse(outcome.print()));
  }
}
