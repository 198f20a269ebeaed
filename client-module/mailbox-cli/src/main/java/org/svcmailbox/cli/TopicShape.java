package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A topic in the form of the list of topics: its counts, and its settings in an object of their
 * own. The service's answer for a single topic has all fields side by side.
 */
final class TopicShape {
  /** The fields of a list entry, in their order. */
  private static final List<String> COUNTS =
      List.of(
          "name",
          "paused",
          "depth",
          "ready",
          "scheduled",
          "inflight",
          "dlq",
          "saturation",
          "oldest_ready_age_ms");

  /** The fields that only the answer for a single topic has. */
  private static final List<String> DETAILS =
      List.of("version", "overrides", "closing_shards", "dlq_profile");

  private TopicShape() {}

  /** A topic in the form of the list, followed by its details. */
  static ObjectNode of(JsonNode topic) {
    ObjectNode left = topic.deepCopy();
    left.put("depth", topic.path("ready").asLong() + topic.path("delayed").asLong());
    left.set("scheduled", left.remove("delayed"));
    ObjectNode shaped = moved(COUNTS, left);
    ObjectNode details = moved(DETAILS, left);
    shaped.set("settings", left);
    return shaped.setAll(details);
  }

  private static ObjectNode moved(List<String> fields, ObjectNode from) {
    ObjectNode moved = JsonOutput.object();
    fields.stream().filter(from::has).forEach(field -> moved.set(field, from.remove(field)));
    return moved;
  }
}
