package org.svcmailbox.core.redrive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.message.DeadLetterReason;

class FilterTextTest {
  private static final LetterFilter EVERYTHING =
      new LetterFilter(
          DeadLetterReason.EXPIRED,
          List.of(new Fingerprint(-7), new Fingerprint(Fingerprint.LOWEST)),
          Instant.parse("2026-11-22T12:00:00.001Z"),
          Instant.parse("2026-11-22T13:00:00Z"),
          5,
          "a=b&c d%\u0000",
          "\u20ac",
          Map.of("k&=", "v=&", "", "empty"),
          List.of("eins", "zwei*"),
          null);

  @Test
  void aFilterIsReadBackAsItWasWritten() {
    for (LetterFilter filter : List.of(EVERYTHING, LetterFilter.ALL)) {
      assertEquals(filter, FilterText.parse(FilterText.of(filter)));
    }
  }

  @Test
  void itIsTheQueryOfAList() {
    assertEquals("", FilterText.of(LetterFilter.ALL));
    LetterFilter filter =
        new LetterFilter(
            DeadLetterReason.EXPIRED,
            List.of(),
            null,
            null,
            5,
            null,
            null,
            Map.of(),
            List.of("a", "b"),
            null);
    assertEquals("reason=expired&attempt=5&q=a+b", FilterText.of(filter));
  }

  @Test
  void anythingElseIsRefused() {
    for (String text :
        List.of("reason", "reason=none", "attempt=x", "attr=a", "since=now", "fingerprint=1")) {
      assertThrows(RuntimeException.class, () -> FilterText.parse(text), text);
    }
  }
}
