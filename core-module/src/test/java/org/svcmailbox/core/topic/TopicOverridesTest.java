package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.settings.RedrivePolicy;

/** The own settings of a topic, as the audit log tells them. */
class TopicOverridesTest {
  @Test
  void ownSettingsAreToldByTheNamesOfTheApi() {
    RetentionOverrides retention =
        new RetentionOverrides(
            Duration.ofDays(1), 2, 3L, Duration.ofHours(4), 5, Duration.ofDays(6), 7);
    TopicOverrides all =
        new TopicOverrides(
            4,
            100,
            Duration.ofMinutes(5),
            3,
            Duration.ofSeconds(30),
            Duration.ofMillis(250),
            Duration.ofMinutes(1),
            retention,
            Duration.ofSeconds(90),
            new RedrivePolicy(Duration.ofHours(2), 3));
    assertEquals(
        "ready_shards=4, shard_capacity=100, t_replay=5m, max_attempts=3, default_visibility=30s,"
            + " backoff_base=250ms, backoff_max=1m, retention_ready=1d, retention_ready_count=2,"
            + " retention_ready_bytes=3, retention_inflight=4h, retention_inflight_count=5,"
            + " retention_dlq=6d, retention_dlq_count=7, alert_ready_age=90s, reprocess_after=2h,"
            + " reprocess_times=3",
        all.text());
  }

  @Test
  void settingsOfTheServiceAreNotTold() {
    assertEquals("ready_shards=1", TopicOverrides.NONE.withReadyShards(1).text());
    assertEquals("defaults", TopicOverrides.NONE.text());
  }
}
