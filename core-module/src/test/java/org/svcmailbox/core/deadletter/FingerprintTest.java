package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {
  private static final ErrorPattern TIMEOUT = ErrorPattern.of("timeout after 3 s");

  @Test
  void thePatternMakesIt() {
    assertEquals(Fingerprint.of(TIMEOUT), Fingerprint.of(ErrorPattern.of("timeout after 17 s")));
    assertNotEquals(Fingerprint.of(TIMEOUT), Fingerprint.of(ErrorPattern.of("refused after 3 s")));
  }

  /** Databases and links have it. Another value needs another version. */
  @Test
  void itStaysWhatItWas() {
    assertEquals("22789b404327d909", Fingerprint.of(TIMEOUT).toString());
  }

  @Test
  void theFirstDigitIsTheVersion() {
    for (int i = 0; i < 1_000; i++) {
      Fingerprint made =
          Fingerprint.of(ErrorPattern.of("a".repeat(i % 250) + (char) ('b' + i / 250)));
      assertTrue(made.isCurrent(), made::toString);
      assertEquals('2', made.toString().charAt(0));
    }
    for (String other : List.of("1fffffffffffffff", "3000000000000000", "f000000000000000")) {
      assertFalse(Fingerprint.parse(other).isCurrent(), other);
    }
    assertTrue(Fingerprint.parse("2000000000000000").isCurrent());
    assertTrue(Fingerprint.parse("2fffffffffffffff").isCurrent());
  }

  @Test
  void itsTextIsReadBack() {
    Fingerprint high = new Fingerprint(0xF000_0000_0000_000AL);
    assertEquals("f00000000000000a", high.toString());
    assertEquals(high, Fingerprint.parse(high.toString()));
    assertEquals(new Fingerprint(1), Fingerprint.parse("0000000000000001"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "f00000000000000A", "g000000000000000", "f00000000000000a0"})
  void anythingElseIsNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> Fingerprint.parse(text));
  }
}
