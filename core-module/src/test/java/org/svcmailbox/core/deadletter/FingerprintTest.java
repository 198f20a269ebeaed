package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.svcmailbox.core.message.DeadLetterReason.EXPIRED;
import static org.svcmailbox.core.message.DeadLetterReason.MAX_ATTEMPTS;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {
  private static final ErrorPattern TIMEOUT = ErrorPattern.of("timeout after 3 s");

  @Test
  void reasonAndPatternMakeIt() {
    assertEquals(
        Fingerprint.of(MAX_ATTEMPTS, TIMEOUT),
        Fingerprint.of(MAX_ATTEMPTS, ErrorPattern.of("timeout after 17 s")));
    assertNotEquals(Fingerprint.of(MAX_ATTEMPTS, TIMEOUT), Fingerprint.of(EXPIRED, TIMEOUT));
    assertNotEquals(
        Fingerprint.of(MAX_ATTEMPTS, TIMEOUT),
        Fingerprint.of(MAX_ATTEMPTS, ErrorPattern.of("refused after 3 s")));
  }

  /** It is in databases and in links: another one for the same letter would lose both. */
  @Test
  void itStaysWhatItWas() {
    assertEquals("8d713ae85b01a32b", Fingerprint.of(MAX_ATTEMPTS, TIMEOUT).toString());
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
