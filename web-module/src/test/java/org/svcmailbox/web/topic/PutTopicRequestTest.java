package org.svcmailbox.web.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.web.json.Bodies;
import org.svcmailbox.web.json.BodyFuzz;

class PutTopicRequestTest {
  private static final String WHOLE =
      """
      {"ready_shards": 8, "shard_capacity": 100, "t_replay": "60s", "max_attempts": 3,
       "default_visibility": "PT10S", "backoff_base": "100ms", "backoff_max": "1m",
       "retention_ready": "7d", "retention_dlq": "12h", "retention_ready_count": 11, "retention_ready_bytes": 5000000000, "retention_inflight": "5m",
       "retention_inflight_count": 12, "retention_dlq_count": 13, "alert_ready_age": "90s",
       "reprocess_after": "1h", "reprocess_times": 3}\
      """;

  private static TopicOverrides checked(String body) {
    return Bodies.read(PutTopicRequest.class, body).checked();
  }

  @Test
  void everySettingIsRead() {
    assertEquals(
        new TopicOverrides(
            8,
            100,
            Duration.ofSeconds(60),
            3,
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            Duration.ofMinutes(1),
            new RetentionOverrides(
                Duration.ofDays(7),
                11,
                5_000_000_000L,
                Duration.ofMinutes(5),
                12,
                Duration.ofHours(12),
                13),
            Duration.ofSeconds(90),
            new RedrivePolicy(Duration.ofHours(1), 3)),
        checked(WHOLE));
    assertEquals(TopicOverrides.NONE, checked("{}"));
  }

  /** A form sends what it was given, and pins no default. */
  @Test
  void overridesComeBackAsTheyWereSent() {
    assertEquals(checked(WHOLE), PutTopicRequest.of(checked(WHOLE)).checked());
    assertEquals(TopicOverrides.NONE, PutTopicRequest.of(TopicOverrides.NONE).checked());
    assertEquals("90s", PutTopicRequest.of(checked(WHOLE)).alertReadyAge());
  }

  @Test
  void everyDurationThatIsNoneIsNamed() {
    SchemaException refused =
        assertThrows(
            SchemaException.class,
            () -> checked("{\"t_replay\": \"soon\", \"backoff_max\": \"5\"}"));
    assertEquals(
        List.of("t_replay", "backoff_max"),
        refused.violations().stream().map(FieldViolation::field).toList());
  }

  @Test
  void anyInputBecomesARequestOrARefusal() {
    new BodyFuzz(new Random().nextLong())
        .attack(WHOLE, body -> Bodies.read(PutTopicRequest.class, body).checked());
  }
}
