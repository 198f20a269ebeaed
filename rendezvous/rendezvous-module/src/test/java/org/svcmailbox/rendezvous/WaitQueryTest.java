package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitQueryTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "30000, 30000",
    "55000, 55000",
    "55001, 55000",
    "999999999, 55000",
    "1000000000, 55000",
    "99999999999999999999999, 55000",
    "00000000000000000000007, 7"
  })
  void aWaitIsClamped(String given, long millis) {
    assertEquals(Optional.of(Duration.ofMillis(millis)), WaitQuery.wait("wait_ms=" + given));
  }

  @Test
  void withoutAQueryNothingIsWaitedFor() {
    assertEquals(Optional.of(Duration.ZERO), WaitQuery.wait(null));
    assertEquals(Optional.of(Duration.ZERO), WaitQuery.wait(""));
    assertEquals(Optional.of(Duration.ZERO), WaitQuery.none(null));
    assertEquals(Optional.of(Duration.ZERO), WaitQuery.none(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wait_ms=",
        "wait_ms",
        "wait_ms=-1",
        "wait_ms=1.5",
        "wait_ms=+1",
        "wait_ms=1s",
        "wait_ms=1&wait_ms=1",
        "wait_ms=1&",
        "wait=1",
        "WAIT_MS=1",
        "wait%5Fms=1",
        "wait_ms=%31",
        "x=1"
      })
  void anythingElseIsMalformed(String query) {
    assertEquals(Optional.empty(), WaitQuery.wait(query));
  }

  @Test
  void aPostHasNoParameters() {
    assertEquals(Optional.empty(), WaitQuery.none("wait_ms=1"));
  }
}
