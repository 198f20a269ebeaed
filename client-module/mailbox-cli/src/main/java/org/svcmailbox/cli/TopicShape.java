package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A topic as the list of topics has it: its counts, and its settings apart. The service answers a
 * question for one topic with all of them in a row.
 */
final class TopicShape {
  /** The fields of a list, in its order. */
  private static final List<String> COUNTS =
      List.of("name", "paused", "depth", "inflight", "dlq", "saturation", "oldest_ready_age_ms");

  /** The fields that only the answer for one topic has. */
  private static final List<String> DETAILS =
      List.of("ready", "delayed", "closing_shards", "dlq_profile");

  private TopicShape() {}

  /** One topic, as the list has it, with its details after that. */
  static ObjectNode of(JsonNode topic) {
    ObjectNode left = topic.deepCopy();
    left.put("depth", topic.path("ready").asLong() + topic.path("delayed").asLong());
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
