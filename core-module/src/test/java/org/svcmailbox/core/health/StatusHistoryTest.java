package org.svcmailbox.core.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class StatusHistoryTest {
  private Instant now = Instant.parse("2026-11-29T02:14:00Z");
  private final StatusHistory history = new StatusHistory(() -> now);

  private Instant upSince(Part part) {
    return history.since(Vital.up(part));
  }

  private Instant downSince(Part part, String detail) {
    return history.since(Vital.down(part, detail));
  }

  private Instant tick(long seconds) {
    now = now.plusSeconds(seconds);
    return now;
  }

  @Test
  void aStatusBeginsWhenItIsFirstSeen() {
    Instant start = now;
    assertEquals(start, upSince(Part.BROKER));
    tick(60);
    assertEquals(start, upSince(Part.BROKER));
    Instant away = tick(1);
    assertEquals(away, downSince(Part.BROKER, "the broker is away"));
  }

  @Test
  void anotherReasonIsTheSameStatus() {
    Instant away = now;
    assertEquals(away, downSince(Part.DATABASE, "refused"));
    tick(5);
    assertEquals(away, downSince(Part.DATABASE, "no answer for 5 s"));
  }

  @Test
  void eachChangeBeginsAnotherStatus() {
    downSince(Part.DISK, "full");
    for (int i = 0; i < 3; i++) {
      Instant back = tick(1);
      assertEquals(back, upSince(Part.DISK));
      Instant full = tick(1);
      assertEquals(full, downSince(Part.DISK, "full"));
      tick(7);
      assertEquals(full, downSince(Part.DISK, "full"));
    }
  }

  @Test
  void partsDoNotAffectEachOther() {
    Instant first = now;
    upSince(Part.BROKER);
    Instant second = tick(2);
    assertEquals(second, downSince(Part.DATABASE, "away"));
    assertEquals(first, upSince(Part.BROKER));
  }
}
