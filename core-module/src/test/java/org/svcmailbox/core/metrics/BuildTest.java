package org.svcmailbox.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The names of a build, which Maven fills in. */
class BuildTest {
  @Test
  void theCommitIsNamedOrUnknown() {
    assertTrue(Build.REVISION.matches("[0-9a-f]{12}|unknown"), Build.REVISION);
  }

  @Test
  void theMetricNamesVersionRevisionAndServer() {
    Metric metric = Build.metrics("WildFly").get(0);
    assertEquals(
        Map.of("version", Build.VERSION, "revision", Build.REVISION, "server", "WildFly"),
        metric.tags());
    assertEquals(1, metric.now());
  }

  @Test
  void theStartIsInThePastInSeconds() {
    double started = Build.metrics("WildFly").get(1).now();
    double now = System.currentTimeMillis() / 1e3;
    assertTrue(started > 1.7e9 && started <= now, () -> started + " and " + now);
  }
}
