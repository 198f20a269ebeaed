package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.StreamSettings;

/** The settings that a consumer's topic has on the service. */
final class TopicSettings {
  private static final Duration BACKOFF_BASE = Duration.ofSeconds(1);
  private static final Duration BACKOFF_MAX = Duration.ofMinutes(5);

  /** The longest time for which a worker extends a lease. */
  private static final Duration LONGEST_HANDLER = Duration.ofMinutes(20);

  private TopicSettings() {}

  static String path(ConsumerSettings consumer) {
    return "/v1/topics/" + consumer.durable();
  }

  /** The body of a PUT for a consumer's topic. */
  static ObjectNode of(ConsumerSettings consumer) {
    StreamSettings stream = consumer.stream();
    ObjectNode settings =
        JsonLines.object()
            .put("max_attempts", consumer.maxDeliver())
            .put("default_visibility", consumer.ackWait().toString())
            .put("backoff_base", BACKOFF_BASE.toString())
            .put("backoff_max", BACKOFF_MAX.toString())
            .put("retention_ready", stream.maxAge().toString())
            .put("retention_inflight", LONGEST_HANDLER.plus(consumer.ackWait()).toString())
            .put("retention_inflight_count", consumer.maxAckPending())
            .put("retention_dlq", stream.deadLetterAge().toString());
    if (stream.maxBytes() != null) {
      settings.put("retention_ready_bytes", stream.maxBytes().longValue());
    }
    return settings;
  }

  /** Names the settings in which a topic differs. */
  static List<String> differences(ConsumerSettings consumer, JsonNode topic) {
    List<String> differences = new ArrayList<>();
    for (var wanted : of(consumer).properties()) {
      JsonNode actual = topic.path(wanted.getKey());
      if (!isSame(wanted.getValue(), actual)) {
        String is = actual.isMissingNode() ? "missing" : actual.toString();
        differences.add(wanted.getKey() + " is " + is + ", not " + wanted.getValue());
      }
    }
    return differences;
  }

  private static boolean isSame(JsonNode wanted, JsonNode actual) {
    if (!wanted.isTextual()) {
      return wanted.asLong() == actual.asLong(-1);
    }
    try {
      return Amounts.duration(wanted.asText()).equals(Amounts.duration(actual.asText()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
