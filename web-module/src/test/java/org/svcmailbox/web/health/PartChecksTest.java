package org.svcmailbox.web.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.StatusHistory;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.web.TestSettings;

class PartChecksTest {
  private Instant now = Instant.parse("2026-11-29T02:14:00.500Z");
  private Vital database = Vital.up(Part.DATABASE);
  private final PartChecks checks =
      new PartChecks(part -> database, new StatusHistory(() -> now), TestSettings.SETTINGS);

  private Map<String, Object> data() {
    return new LinkedHashMap<>(checks.database().call().getData().orElseThrow());
  }

  @Test
  void aCheckSaysSinceWhenItHasItsStatus() {
    assertEquals(Map.of("affects", "writes", "since", "2026-11-29T02:14:00.500Z"), data());
    now = now.plusSeconds(60);
    assertEquals("2026-11-29T02:14:00.500Z", data().get("since"));
    database = Vital.down(Part.DATABASE, "no answer");
    assertEquals(
        Map.of("affects", "writes", "since", "2026-11-29T02:15:00.500Z", "detail", "no answer"),
        data());
  }

  @Test
  void theDurabilityOfDeadLettersIsKnownSinceTheStart() {
    HealthCheckResponse letters = checks.deadLetters().call();
    assertEquals(Status.UP, letters.getStatus());
    Instant since = Instant.parse((String) letters.getData().orElseThrow().get("since"));
    assertFalse(since.isAfter(Instant.now()));
  }
}
